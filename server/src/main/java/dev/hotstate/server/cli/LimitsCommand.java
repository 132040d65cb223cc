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

/** The rules of rate limits, over the API of a running server. */
@Command(name = "limits", description = "Apply the rules of rate limits.", mixinStandardHelpOptions = true)
final class LimitsCommand implements Runnable {
    private static final int REFUSED = 1;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(Objects.requireNonNull(spec).commandLine(), "give apply");
    }

    @Command(
            name = "apply",
            description = "Put the rules of a file in the place of all rules, and show what that changes.",
            mixinStandardHelpOptions = true)
    int apply(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "FILE", description = "A list of rules: YAML, or JSON in a file named .json.")
                    Path file,
            @Option(names = "--dry-run", description = "Only show what would change.") boolean dryRun,
            @Option(names = "--json", description = "Print the server's answer.") boolean json) {
        var rules = ListFile.read(file);
        var plan = server.put("/limits/rules?dry_run=true", rules.type(), rules.text());
        // What was shown is what is applied: if the rules are others by then, the server refuses.
        var answer = dryRun || !plan.isOk()
                ? plan
                : server.put(
                        "/limits/rules",
                        rules.type(),
                        rules.text(),
                        "If-Match",
                        "\"" + plan.json().path("version").asLong() + "\"");
        if (!answer.isOk()) {
            ListFile.tellRefusal(
                    answer.json(), Objects.requireNonNull(spec).commandLine().getErr());
            return REFUSED;
        }
        if (json) {
            Output.of(spec).println(answer.json().toPrettyString());
        } else {
            var end = dryRun ? "nothing was applied, the rules stay at version " : "the rules are at version ";
            ListFile.show(answer.json(), end + answer.json().path("version").asLong(), Output.of(spec));
        }
        return 0;
    }
}
