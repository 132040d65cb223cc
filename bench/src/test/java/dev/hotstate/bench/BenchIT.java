package dev.hotstate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchIT {
    /** They start whole servers, or install a peer, which takes longer than all the others together. */
    private static final List<String> NOT_RUN =
            List.of("monitors", "drill-monitors", "jobs", "drill-jobs", "drill-jobs-cluster");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @Test
    void everyBenchmarkIsRunHereOrKnownNotToBe() {
        List<String> known = new ArrayList<>(BackboneBenchmarksIT.BENCHMARKS);
        known.addAll(FeatureBenchmarksIT.BENCHMARKS);
        known.addAll(NOT_RUN);
        assertThat(Benchmarks.ALL).extracting(Benchmark::name).containsExactlyInAnyOrderElementsOf(known);
        assertThat(Benchmarks.usual())
                .extracting(Benchmark::name)
                .doesNotContain("drill-monitors", "drill-jobs", "drill-jobs-cluster");
    }

    @Test
    void aFileThatCannotBeWrittenIsSaidBeforeAnythingRuns() {
        Path missing = folder.resolve("missing").resolve("figures.json");
        assertThat(bench("--json", missing.toString())).isEqualTo(2);
        assertThat(err.toString().strip().lines()).singleElement().asString().startsWith("cannot write " + missing);
        assertThat(out.toString()).isEmpty();
    }

    private int bench(String... args) {
        return Bench.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
