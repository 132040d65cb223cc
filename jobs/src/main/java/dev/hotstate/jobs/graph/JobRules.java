package dev.hotstate.jobs.graph;

import dev.hotstate.core.Durations;
import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What each field of a job must be like. Paths are only spelled where something is wrong: a job has up to a million fields. */
final class JobRules {
    static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    // As RFC 9110 has them.
    private static final Set<String> OF_THE_CONNECTION =
            Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");
    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");

    private final Flaws flaws;
    private String place = "";

    private JobRules(Flaws flaws) {
        this.flaws = flaws;
    }

    static void check(JobSpec job, Flaws flaws) {
        new JobRules(flaws).job(job);
    }

    static String shortened(String value) {
        return value.length() > 80 ? value.substring(0, 80) + "…" : value;
    }

    private void job(JobSpec job) {
        id("id", job.id(), JobLimits.JOB_ID);
        line("name", job.name());
        line("created_by", job.createdBy());
        if (job.idempotencyKey() != null) {
            line("idempotency_key", job.idempotencyKey());
        }
        id("queue", job.queue(), JobLimits.QUEUE);
        within("priority", job.priority(), JobLimits.PRIORITY);
        within("delay", job.delay(), Duration.ZERO, JobLimits.DELAY);
        int count = job.tasks().size();
        if (count < 1 || count > JobLimits.TASKS) {
            wrong("tasks", "must be 1 to " + JobLimits.TASKS + ", not " + count);
        }
        long edges = 0;
        for (int i = 0; i < count; i++) {
            place = "tasks[" + i + "].";
            task(job.tasks().get(i));
            edges += job.tasks().get(i).needs().size();
        }
        place = "";
        if (edges > JobLimits.EDGES) {
            wrong("tasks", "must need at most " + JobLimits.EDGES + " others in all, not " + edges);
        }
    }

    private void task(TaskSpec task) {
        id("id", task.id(), JobLimits.TASK_ID);
        line("name", task.name());
        id("queue", task.queue(), JobLimits.QUEUE);
        within("priority", task.priority(), JobLimits.PRIORITY);
        within("max_retries", task.maxRetries(), JobLimits.RETRIES);
        within("backoff", task.backoff(), Duration.ZERO, JobLimits.BACKOFF);
        within("timeout", task.timeout(), JobLimits.SHORTEST_TIMEOUT, JobLimits.TIMEOUT);
        boolean waitsForOne = task.trigger() == Trigger.ONE_FAILED || task.trigger() == Trigger.ONE_SUCCESS;
        if (waitsForOne && task.needs().isEmpty()) {
            wrong("trigger", "\"" + task.trigger().word() + "\" can never come true for a task that needs no other");
        }
        if (task.input() != null) {
            storable("input", task.input());
            readable("input", task.input());
        }
        switch (task.run()) {
            case Run.External external -> {}
            case Run.Handler handler -> id("run.handler", handler.name(), JobLimits.NAME);
            case Run.Shell shell -> shell(shell);
            case Run.Http http -> http(http);
        }
    }

    private void shell(Run.Shell shell) {
        if (shell.command().isBlank()) {
            wrong("run.shell", "must be a command");
        }
        storable("run.shell", shell.command());
        if (shell.command().indexOf('\0') >= 0) {
            wrong("run.shell", "must not have U+0000 in it");
        }
    }

    private void http(Run.Http http) {
        if (!METHODS.contains(http.method())) {
            wrong(
                    "run.http.method",
                    "must be one of " + METHODS.stream().sorted().toList() + ", not \"" + shortened(http.method())
                            + "\"");
        }
        if (!isHttpUrl(http.url())) {
            wrong(
                    "run.http.url",
                    "must be an address such as \"https://example.org/hook\", without a user and password, not \""
                            + withoutUser(shortened(http.url())) + "\"");
        }
        if (http.headers().size() > JobLimits.HEADERS) {
            wrong("run.http.headers", "must be at most " + JobLimits.HEADERS);
        }
        for (Map.Entry<String, String> header : http.headers().entrySet()) {
            boolean printable = header.getValue().length() <= JobLimits.URL
                    && header.getValue().chars().allMatch(c -> c >= ' ' && c < 0x7f);
            if (OF_THE_CONNECTION.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                wrong("run.http.headers." + header.getKey(), "is set by whoever makes the request");
            } else if (!HEADER.matcher(header.getKey()).matches() || !printable) {
                wrong("run.http.headers." + shortened(header.getKey()), "is not a header that can be sent");
            }
        }
        if (http.body() != null) {
            storable("run.http.body", http.body());
        }
    }

    private static boolean isHttpUrl(String url) {
        try {
            URI uri = new URI(url);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            return url.length() <= JobLimits.URL
                    && (scheme.equals("http") || scheme.equals("https"))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null;
        } catch (URISyntaxException malformed) {
            return false;
        }
    }

    /** A password is not repeated where an error is shown. */
    private static String withoutUser(String url) {
        return url.replaceFirst("//[^/?#]*@", "//");
    }

    /** Ids stand in keys and in lists as they are, so they are of few characters. */
    private void id(String field, String value, int most) {
        boolean fits = !value.isEmpty() && value.length() <= most && !value.equals(".") && !value.equals("..");
        for (int i = 0; fits && i < value.length(); i++) {
            fits = isPlain(value.charAt(i));
        }
        if (!fits) {
            wrong(field, "must be 1 to " + most + " of A-Z a-z 0-9 . _ -, not \"" + shortened(value) + "\"");
        }
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == '-';
    }

    private void line(String field, String value) {
        Flaws line = new Flaws().line(field, value, JobLimits.TITLE);
        if (!line.none()) {
            line.moveTo(flaws, place);
        }
    }

    private void within(String field, int value, int most) {
        if (value < 0 || value > most) {
            wrong(field, "must be from 0 to " + most + ", not " + value);
        }
    }

    private void within(String field, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            wrong(
                    field,
                    "must be from " + Durations.print(least) + " to " + Durations.print(most) + ", not "
                            + Durations.print(value));
        }
    }

    /** Neither PostgreSQL nor UTF-8 has a way to write half a surrogate pair. */
    private void storable(String field, String text) {
        int bytes = text.length() * 3 <= JobLimits.JSON_BYTES ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > JobLimits.JSON_BYTES) {
            wrong(field, "must be at most " + JobLimits.JSON_BYTES / 1024 + " KB, not " + bytes / 1024 + " KB");
        }
        if (hasHalfPair(text)) {
            wrong(field, "must not have half a surrogate pair in it");
        }
    }

    /** A job is read again whenever Redis has lost it. */
    private void readable(String field, String json) {
        JobDocument.flawOf(json).ifPresent(flaw -> wrong(field, "cannot be read as JSON: " + flaw));
    }

    private static boolean hasHalfPair(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean whole = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!whole) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private void wrong(String field, String message) {
        flaws.add(new Flaw(place + field, message));
    }
}
