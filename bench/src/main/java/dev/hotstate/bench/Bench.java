package dev.hotstate.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.hotstate.bench.drill.BrokenPromiseException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command line: which benchmarks, at what pace, and where the figures go. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Runs benchmarks on servers of their own, us and peers side by side, and prints their ratios.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all ran",
            "1:a benchmark failed, or a drill ended badly",
            "2:no such benchmark or option, or an unwritable file"
        })
public final class Bench implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final List<Figure> figures = new ArrayList<>();

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "Which to run; all but drills when none is named.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures there too, as JSON.")
    private @Nullable Path json;

    @Option(names = "--list", description = "Print what there is, and run nothing.")
    private boolean list;

    @Option(names = "--quick", description = "Only see that they work, in seconds; the figures mean little.")
    private boolean quick;

    @Option(
            names = "--largest",
            paramLabel = "N",
            description = "Leave out larger sizes: of drivers, those of more than N.")
    private int largest = Integer.MAX_VALUE;

    @Option(names = "--seed", paramLabel = "N", description = "Repeat the chances of an earlier drill.")
    private long seed = ThreadLocalRandom.current().nextInt(1_000_000);

    private Bench() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs as from a shell, and answers the exit code. */
    public static int run(String... args) {
        return run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args);
    }

    static int run(PrintWriter out, PrintWriter err, String... args) {
        return new CommandLine(new Bench())
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((wrong, given) -> {
                    err.println(wrong.getMessage());
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((failed, command, given) -> {
                    if (!(failed instanceof BrokenPromiseException)) {
                        throw failed;
                    }
                    err.println(failed.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args);
    }

    @Override
    public Integer call() {
        PrintWriter out = commandLine().getOut();
        if (list) {
            Benchmarks.ALL.forEach(benchmark -> out.printf("%-18s %s%n", benchmark.name(), benchmark.about()));
            return CommandLine.ExitCode.OK;
        }
        List<Benchmark> chosen = chosen();
        writeJson();
        out.println(machine());
        for (Benchmark benchmark : chosen) {
            measure(benchmark, out);
            writeJson();
        }
        return CommandLine.ExitCode.OK;
    }

    private List<Benchmark> chosen() {
        return names.isEmpty()
                ? Benchmarks.usual()
                : names.stream().distinct().map(this::named).toList();
    }

    private Benchmark named(String name) {
        return Benchmarks.named(name)
                .orElseThrow(() -> new ParameterException(
                        commandLine(),
                        "there is no benchmark " + name + "; did you mean "
                                + Benchmarks.nearest(name).name() + "?"));
    }

    private void measure(Benchmark benchmark, PrintWriter out) {
        out.printf("%n%s: %s%n", benchmark.name(), benchmark.about());
        try (Run run = new Run(benchmark, quick ? Pace.QUICK : Pace.FULL, seed, largest, out)) {
            try {
                benchmark.run(run);
            } finally {
                figures.addAll(run.figures());
                out.printf("%n%s", Table.of(run.figures()));
                out.flush();
            }
        }
    }

    /** Before the first benchmark too, so that a file that cannot be written costs nobody a minute. */
    private void writeJson() {
        if (json != null) {
            try {
                JSON.writeValue(json.toFile(), figures);
            } catch (IOException unwritable) {
                throw new ParameterException(
                        commandLine(), "cannot write " + json + ": " + unwritable.getMessage(), unwritable);
            }
        }
    }

    private static String machine() {
        Runtime jvm = Runtime.getRuntime();
        return jvm.availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ", JDK " + Runtime.version() + ", heap of at most "
                + (jvm.maxMemory() >> 20) + " MB";
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("picocli did not run this command");
        }
        return spec.commandLine();
    }
}
