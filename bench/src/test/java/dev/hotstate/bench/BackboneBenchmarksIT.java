package dev.hotstate.bench;

import java.util.List;

/** What every feature stands on. */
class BackboneBenchmarksIT extends BenchmarksContract {
    static final List<String> BENCHMARKS = List.of("script", "script-cluster", "agenda", "outage", "audit");

    BackboneBenchmarksIT() {
        super(BENCHMARKS);
    }
}
