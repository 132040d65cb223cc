package dev.hotstate.server.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Where a command prints its result; picocli sets the specification before it calls the command. */
final class Output {
    private Output() {}

    static PrintWriter of(@Nullable CommandSpec spec) {
        return new PrintWriter(Objects.requireNonNull(spec).commandLine().getOut(), true);
    }
}
