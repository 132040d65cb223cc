package dev.hotstate.server.cli;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What is watched, over the API of a running server. */
@Command(name = "monitors", description = "Apply a list of monitors.", mixinStandardHelpOptions = true)
final class MonitorsCommand implements Runnable {
    private static final int REFUSED = 1;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(Objects.requireNonNull(spec).commandLine(), "give apply");
    }

    @Command(
            name = "apply",
            description = "Make monitors be as they are in a file, all or none, and show what that changes.",
            mixinStandardHelpOptions = true)
    int apply(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "FILE", description = "A list of monitors: YAML, or JSON in a file named .json.")
                    Path file,
            @Option(names = "--dry-run", description = "Only show what would change.") boolean dryRun,
            @Option(names = "--prune", description = "Delete what an earlier apply made and the file no longer has.")
                    boolean prune,
            @Option(names = "--json", description = "Print the server's answer.") boolean json) {
        var list = ListFile.read(file);
        var answer = server.put("/monitors?dry_run=" + dryRun + "&prune=" + prune, list.type(), list.text());
        if (!answer.isOk()) {
            ListFile.tellRefusal(
                    answer.json(), Objects.requireNonNull(spec).commandLine().getErr());
            return REFUSED;
        }
        if (json) {
            Output.of(spec).println(answer.json().toPrettyString());
        } else {
            ListFile.show(answer.json(), dryRun ? "nothing was applied" : "applied", Output.of(spec));
        }
        return 0;
    }
}
