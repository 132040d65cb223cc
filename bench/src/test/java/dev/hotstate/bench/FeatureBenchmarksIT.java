package dev.hotstate.bench;

import java.util.List;

/** What features do. */
class FeatureBenchmarksIT extends BenchmarksContract {
    static final List<String> BENCHMARKS = List.of("limits", "traffic", "drivers");

    FeatureBenchmarksIT() {
        super(BENCHMARKS);
    }
}
