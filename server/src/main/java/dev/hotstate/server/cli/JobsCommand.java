package dev.hotstate.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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

/** Jobs, over the API of a running server. */
@Command(name = "jobs", description = "Run a job, or read what a task logs.", mixinStandardHelpOptions = true)
final class JobsCommand implements Runnable {
    private static final int NO = 1;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(Objects.requireNonNull(spec).commandLine(), "give run or logs");
    }

    @Command(
            name = "run",
            description = "Submit a job, and with --follow wait until it has ended.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:submitted, or with --follow succeeded",
                "1:refused, or with --follow failed or cancelled",
                "2:could not run"
            },
            mixinStandardHelpOptions = true)
    int submit(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "FILE", description = "A job: YAML, or JSON in a file named .json.") Path file,
            @Option(names = "--follow", description = "Show how it goes on, until it has ended.") boolean follow,
            @Option(names = "--json", description = "Print the job as the server has it at last.") boolean json) {
        var document = ListFile.read(file);
        var answer = server.post("/jobs", document.type(), document.text());
        if (!answer.isOk()) {
            ListFile.tellRefusal(
                    answer.json(), Objects.requireNonNull(spec).commandLine().getErr());
            return NO;
        }
        var output = Output.of(spec);
        String id = answer.json().path("id").asText();
        if (!json) {
            output.println(id);
            output.flush();
        }
        JsonNode job = answer.json();
        if (follow) {
            job = new JobFollowing(server, json ? null : output).toTheEnd(id);
        }
        if (json) {
            output.println(job.toPrettyString());
        }
        boolean well = !follow || job.path("status").asText().equals("SUCCEEDED");
        return well ? 0 : NO;
    }

    @Command(
            name = "logs",
            description = "Print what a task has logged, and with --follow what it logs until it has ended.",
            mixinStandardHelpOptions = true)
    int logs(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "JOB", description = "The id of the job.") String job,
            @Parameters(paramLabel = "TASK", description = "The id of its task.") String task,
            @Option(names = "--follow", description = "Go on until the task has ended.") boolean follow,
            @Option(names = "--json", description = "Print each line as JSON, with its number and time.")
                    boolean json) {
        var output = Output.of(spec);
        var path = "/jobs/" + coded(job) + "/tasks/" + coded(task) + "/logs";
        var printer = new LogPrinter(output, json);
        if (follow) {
            server.follow(path + "?follow=true", printer::print);
        } else {
            String cursor = "0";
            while (!cursor.isEmpty()) {
                var part = server.get(path + "?limit=1000&cursor=" + cursor).json();
                part.path("items").forEach(printer::print);
                cursor = part.path("next_cursor").asText("");
            }
        }
        return 0;
    }

    private record LogPrinter(PrintWriter output, boolean json) {
        void print(JsonNode line) {
            output.println(
                    json
                            ? line.toString()
                            : line.path("at").asText("") + " "
                                    + line.path("line").asText());
            output.flush();
        }
    }

    private static String coded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }
}
