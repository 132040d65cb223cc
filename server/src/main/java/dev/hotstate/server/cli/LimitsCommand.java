package dev.hotstate.server.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The rules of rate limits, over the API of a running server. */
@Command(name = "limits", description = "Apply the rules of rate limits.", mixinStandardHelpOptions = true)
final class LimitsCommand implements Runnable {
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
    int apply(@Mixin ApplyOptions options) {
        var rules = options.list();
        var plan = options.server().put("/limits/rules?dry_run=true", rules.type(), rules.text());
        // What was shown is what is applied: if the rules are others by then, the server refuses.
        var answer = options.isDryRun() || !plan.isOk()
                ? plan
                : options.server()
                        .put(
                                "/limits/rules",
                                rules.type(),
                                rules.text(),
                                "If-Match",
                                "\"" + plan.json().path("version").asLong() + "\"");
        var end = options.isDryRun() ? "nothing was applied, the rules stay at version " : "the rules are at version ";
        return options.tell(answer, report -> end + report.path("version").asLong());
    }
}
