package dev.hotstate.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** A list in a file that a server is asked to apply, and how its answer is told. */
record ListFile(String type, String text) {
    /** YAML, or JSON in a file named {@code .json}. */
    static ListFile read(Path file) {
        var type = file.toString().endsWith(".json") ? "application/json" : "application/yaml";
        try {
            return new ListFile(type, Files.readString(file));
        } catch (IOException unreadable) {
            throw new CommandFailedException(file + " cannot be read; it must be a text file in UTF-8");
        }
    }

    /** One line for each that is made, changed or deleted, and a last one that counts them. */
    static void show(JsonNode report, String end, PrintWriter output) {
        report.path("created").forEach(id -> output.println("+ " + id.asText()));
        report.path("updated").forEach(id -> output.println("~ " + id.asText() + "  " + changes(report, id.asText())));
        report.path("deleted").forEach(id -> output.println("- " + id.asText()));
        output.printf(
                "%d created, %d updated, %d deleted, %d unchanged; %s%n",
                report.path("created").size(),
                report.path("updated").size(),
                report.path("deleted").size(),
                report.path("unchanged").asInt(),
                end);
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
    static void tellRefusal(JsonNode problem, PrintWriter errors) {
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
