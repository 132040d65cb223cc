package dev.hotstate.bench;

import static java.util.Comparator.comparingInt;

import java.util.List;
import java.util.Optional;

/** Every benchmark there is, in the order of a run of all. */
public final class Benchmarks {
    public static final List<Benchmark> ALL = List.of(
            ScriptBenchmark.onOneRedis(),
            ScriptBenchmark.onCluster(),
            new AgendaBenchmark(),
            new OutageBenchmark(),
            new LimitsBenchmark(),
            new TrafficBenchmark(),
            new MonitorsBenchmark(),
            new MonitorsDrill(),
            new JobsBenchmark(),
            JobsDrill.onOneRedis(),
            JobsDrill.onCluster(),
            new DriversBenchmark(),
            new AuditBenchmark());

    private Benchmarks() {}

    /** What runs when nothing is named. */
    static List<Benchmark> usual() {
        return ALL.stream().filter(benchmark -> !benchmark.onlyWhenNamed()).toList();
    }

    static Optional<Benchmark> named(String name) {
        return ALL.stream().filter(benchmark -> benchmark.name().equals(name)).findFirst();
    }

    /** The benchmark whose name takes the fewest changed letters. */
    static Benchmark nearest(String name) {
        return ALL.stream()
                .min(comparingInt(benchmark -> lettersChanged(name, benchmark.name())))
                .orElseThrow();
    }

    /** Levenshtein's distance, a row at a time. */
    private static int lettersChanged(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int swapped = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(swapped, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
