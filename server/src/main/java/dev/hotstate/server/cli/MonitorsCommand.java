package dev.hotstate.server.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is watched, over the API of a running server. */
@Command(name = "monitors", description = "Apply a list of monitors.", mixinStandardHelpOptions = true)
final class MonitorsCommand implements Runnable {
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
            @Mixin ApplyOptions options,
            @Option(names = "--prune", description = "Delete what an earlier apply made and the file no longer has.")
                    boolean prune) {
        var list = options.list();
        var answer = options.server()
                .put("/monitors?dry_run=" + options.isDryRun() + "&prune=" + prune, list.type(), list.text());
        return options.tell(answer, report -> options.isDryRun() ? "nothing was applied" : "applied");
    }
}
