package dev.hotstate.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Watches a job until it has ended, and tells how far it is whenever that has changed. */
final class JobFollowing {
    private static final Set<String> ENDED = Set.of("SUCCEEDED", "FAILED", "CANCELLED");
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final int FAILURES_TOLD = 20;

    /** A server that is started anew is waited for; a job does not end by that. */
    private static final int MOST_MISSES = 100;

    private final ServerOptions server;
    private final @Nullable PrintWriter output;
    private String told = "";
    private int misses;

    /** @param output null to say nothing */
    JobFollowing(ServerOptions server, @Nullable PrintWriter output) {
        this.server = server;
        this.output = output;
    }

    /** The job as it ended. */
    JsonNode toTheEnd(String id) {
        while (true) {
            JsonNode job = look("/jobs/" + id);
            if (job != null) {
                tell(progress(job));
                if (ENDED.contains(job.path("status").asText())) {
                    tell(ending(job));
                    return job;
                }
            }
            pause();
        }
    }

    private @Nullable JsonNode look(String path) {
        try {
            JsonNode found = server.get(path).json();
            misses = 0;
            return found;
        } catch (CommandFailedException away) {
            if (++misses > MOST_MISSES) {
                throw away;
            }
            return null;
        }
    }

    private void tell(String line) {
        if (output != null && !line.equals(told)) {
            output.println(line);
            output.flush();
            told = line;
        }
    }

    private static String progress(JsonNode job) {
        var parts = new ArrayList<String>();
        job.path("counts").properties().forEach(count -> {
            if (count.getValue().asInt() > 0) {
                parts.add(count.getValue().asInt() + " " + count.getKey());
            }
        });
        return job.path("status").asText() + " "
                + Math.round(100 * job.path("progress").asDouble()) + "%: " + String.join(", ", parts);
    }

    private String ending(JsonNode job) {
        var lines = new ArrayList<>(failures(job));
        lines.add(job.path("status").asText() + took(job));
        return String.join(System.lineSeparator(), lines);
    }

    private List<String> failures(JsonNode job) {
        if (job.path("counts").path("failed").asInt() == 0) {
            return List.of();
        }
        JsonNode failed = look("/jobs/" + job.path("id").asText() + "/tasks?status=FAILED&limit=" + FAILURES_TOLD);
        var lines = new ArrayList<String>();
        if (failed != null) {
            failed.path("items")
                    .forEach(task -> lines.add(task.path("id").asText() + " failed: "
                            + task.path("error").asText("")));
        }
        return lines;
    }

    private static String took(JsonNode job) {
        if (!job.path("started_at").isTextual() || !job.path("finished_at").isTextual()) {
            return "";
        }
        var took = Duration.between(
                Instant.parse(job.path("started_at").asText()),
                Instant.parse(job.path("finished_at").asText()));
        return " in " + took.toMillis() / 1000.0 + " s";
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted");
        }
    }
}
