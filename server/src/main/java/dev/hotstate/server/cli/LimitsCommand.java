package dev.hotstate.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
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
        var type = file.toString().endsWith(".json") ? "application/json" : "application/yaml";
        var rules = text(file);
        var plan = server.put("/limits/rules?dry_run=true", type, rules);
        // What was shown is what is applied: if the rules are others by then, the server refuses.
        var answer = dryRun || !plan.isOk()
                ? plan
                : server.put(
                        "/limits/rules",
                        type,
                        rules,
                        "If-Match",
                        "\"" + plan.json().path("version").asLong() + "\"");
        if (!answer.isOk()) {
            tellRefusal(answer.json());
            return REFUSED;
        }
        if (json) {
            Output.of(spec).println(answer.json().toPrettyString());
        } else {
            show(answer.json(), dryRun);
        }
        return 0;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new CommandFailedException(file + " cannot be read; it must be a text file in UTF-8");
        }
    }

    private void show(JsonNode report, boolean dryRun) {
        var output = Output.of(spec);
        report.path("created").forEach(id -> output.println("+ " + id.asText()));
        report.path("updated").forEach(id -> output.println("~ " + id.asText() + "  " + changes(report, id.asText())));
        report.path("deleted").forEach(id -> output.println("- " + id.asText()));
        output.printf(
                "%d created, %d updated, %d deleted, %d unchanged; %s %d%n",
                report.path("created").size(),
                report.path("updated").size(),
                report.path("deleted").size(),
                report.path("unchanged").asInt(),
                dryRun ? "nothing was applied, the rules stay at version" : "the rules are at version",
                report.path("version").asLong());
    }

    private static String changes(JsonNode report, String id) {
        var text = new StringBuilder();
        for (var change : report.path("changes")) {
            if (change.path("id").asText().equals(id)) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(change.path("field").asText())
                        .append(' ')
                        .append(change.path("from").asText("none"))
                        .append(" -> ")
                        .append(change.path("to").asText("none"));
            }
        }
        return text.toString();
    }

    /** One line for each thing that is wrong, as the server tells it. */
    private void tellRefusal(JsonNode problem) {
        var errors = Objects.requireNonNull(spec).commandLine().getErr();
        if (problem.path("errors").isEmpty()) {
            errors.println("hotstate: " + problem.path("detail").asText());
        }
        problem.path("errors")
                .forEach(error -> errors.println("hotstate: "
                        + (error.path("field").asText() + " "
                                        + error.path("message").asText())
                                .strip()));
        errors.flush();
    }
}
