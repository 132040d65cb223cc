package dev.hotstate.jobs.graph;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.hotstate.core.Durations;
import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a job field by field, as a job of 100,000 tasks is no tree to be held twice. What is of the wrong kind is noted
 * and left out, so that all else is checked too.
 */
final class JobReader {
    private static final JsonFactory COPIES = new JsonFactory();
    static final Set<String> JOB_FIELDS =
            Set.of("id", "name", "created_by", "idempotency_key", "priority", "queue", "delay", "tasks");
    static final Set<String> TASK_FIELDS = Set.of(
            "id", "name", "needs", "trigger", "queue", "run", "input", "max_retries", "backoff", "timeout", "priority");
    private static final Set<String> RUN_FIELDS = Set.of("shell", "http", "handler");
    private static final Set<String> HTTP_FIELDS = Set.of("method", "url", "headers", "body");

    private final JsonParser in;
    private final Flaws flaws;
    private final boolean strict;
    private int edges;

    /** @param strict whether fields that are not known are refused */
    JobReader(JsonParser in, Flaws flaws, boolean strict) {
        this.in = in;
        this.flaws = flaws;
        this.strict = strict;
    }

    /** The job at which the parser stands; of one that has flaws, whatever could be read. */
    JobSpec read() throws IOException {
        var job = new JobDraft();
        object("body", "", JOB_FIELDS, field -> {
            switch (field) {
                case "id" -> job.id = text(field);
                case "name" -> job.name = text(field);
                case "created_by" -> job.createdBy = text(field);
                case "idempotency_key" -> job.idempotencyKey = text(field);
                case "priority" -> job.priority = integer(field);
                case "queue" -> job.queue = text(field);
                case "delay" -> job.delay = duration(field);
                default -> job.tasks = tasks();
            }
        });
        return job.spec(flaws);
    }

    private List<TaskDraft> tasks() throws IOException {
        List<TaskDraft> tasks = new ArrayList<>();
        int count = elements("tasks", place -> {
            // What is refused anyway is counted, and not held.
            if (tasks.size() < JobLimits.TASKS) {
                tasks.add(task(place));
            } else {
                in.skipChildren();
            }
        });
        if (count > JobLimits.TASKS) {
            flaws.addFirst(new Flaw("tasks", "must be 1 to " + JobLimits.TASKS + ", not " + count));
        }
        if (edges > JobLimits.EDGES) {
            flaws.addFirst(new Flaw("tasks", "must need at most " + JobLimits.EDGES + " others in all, not " + edges));
        }
        return tasks;
    }

    private TaskDraft task(String place) throws IOException {
        var task = new TaskDraft();
        object(place, place + ".", TASK_FIELDS, field -> {
            String path = place + "." + field;
            switch (field) {
                case "id" -> task.id = text(path);
                case "name" -> task.name = text(path);
                case "needs" -> task.needs = needs(path);
                case "trigger" -> task.trigger = trigger(path);
                case "queue" -> task.queue = text(path);
                case "run" -> task.run = run(path);
                case "input" -> task.input = json();
                case "max_retries" -> task.maxRetries = integer(path);
                case "backoff" -> task.backoff = duration(path);
                case "timeout" -> task.timeout = duration(path);
                default -> task.priority = integer(path);
            }
        });
        if (task.id == null) {
            flaws.add(new Flaw(place + ".id", "is required"));
            task.id = place.substring(place.indexOf('[')).replaceAll("\\D", "");
        }
        return task;
    }

    private List<String> needs(String path) throws IOException {
        List<String> needs = new ArrayList<>();
        elements(path, place -> {
            String need = text(place);
            if (need != null && edges++ < JobLimits.EDGES) {
                needs.add(need);
            }
        });
        return needs;
    }

    private @Nullable Trigger trigger(String path) throws IOException {
        String word = text(path);
        for (Trigger trigger : Trigger.values()) {
            if (trigger.word().equals(word)) {
                return trigger;
            }
        }
        if (word != null) {
            List<String> words =
                    Arrays.stream(Trigger.values()).map(Trigger::word).toList();
            flaws.add(new Flaw(path, "must be one of " + words + ", not \"" + JobRules.shortened(word) + "\""));
        }
        return null;
    }

    private @Nullable Run run(String path) throws IOException {
        List<Run> found = new ArrayList<>();
        List<String> said = new ArrayList<>();
        boolean object = object(path, path + ".", RUN_FIELDS, field -> {
            said.add(field);
            Run run = switch (field) {
                case "http" -> http(path + ".http");
                case "shell" -> orNull(text(path + ".shell"), Run.Shell::new);
                default -> orNull(text(path + ".handler"), Run.Handler::new);
            };
            if (run != null) {
                found.add(run);
            }
        });
        if (object && said.size() != 1) {
            flaws.add(new Flaw(path, "must have one of shell, http and handler, and no other"));
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    private @Nullable Run http(String path) throws IOException {
        var http = new HttpDraft();
        boolean object = object(path, path + ".", HTTP_FIELDS, field -> {
            String at = path + "." + field;
            switch (field) {
                case "method" -> http.method = text(at);
                case "url" -> http.url = text(at);
                case "headers" -> http.headers = texts(at);
                default -> http.body = in.currentToken() == JsonToken.VALUE_STRING ? in.getText() : json();
            }
        });
        if (object && http.url == null) {
            flaws.add(new Flaw(path + ".url", "is required"));
        }
        return http.url == null
                ? null
                : new Run.Http(
                        requireNonNullElse(http.method, http.body == null ? "GET" : "POST")
                                .toUpperCase(Locale.ROOT),
                        http.url,
                        http.headers,
                        http.body);
    }

    private Map<String, String> texts(String path) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        object(path, path + ".", null, field -> {
            String value = text(path + "." + field);
            // One more than is allowed is enough to refuse them.
            if (value != null && texts.size() <= JobLimits.HEADERS) {
                texts.put(field, value);
            }
        });
        return texts;
    }

    private interface Fields {
        void read(String field) throws IOException;
    }

    /** Fields whose value is null are as if they were not there. */
    private boolean object(String what, String place, @Nullable Set<String> known, Fields each) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            return refuse(what, "must be an object");
        }
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String field = in.currentName();
            boolean isKnown = known == null || known.contains(field);
            JsonToken value = in.nextToken();
            if (isKnown && value != JsonToken.VALUE_NULL) {
                each.read(field);
            } else {
                if (!isKnown && strict) {
                    List<String> fields = requireNonNullElse(known, Set.<String>of()).stream()
                            .sorted()
                            .toList();
                    flaws.add(new Flaw(place + JobRules.shortened(field), "is not known here; known are " + fields));
                }
                in.skipChildren();
            }
        }
        return true;
    }

    /** How many there were. */
    private int elements(String path, Fields each) throws IOException {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            refuse(path, "must be a list");
            return 0;
        }
        int count = 0;
        while (in.nextToken() != JsonToken.END_ARRAY) {
            each.read(path + "[" + count++ + "]");
        }
        return count;
    }

    private @Nullable String text(String path) throws IOException {
        if (in.currentToken() == JsonToken.VALUE_STRING) {
            return in.getText();
        }
        refuse(path, "must be a text in quotes");
        return null;
    }

    private @Nullable Integer integer(String path) throws IOException {
        if (in.currentToken() == JsonToken.VALUE_NUMBER_INT && in.getNumberType() == JsonParser.NumberType.INT) {
            return in.getIntValue();
        }
        refuse(path, "must be a whole number");
        return null;
    }

    private @Nullable Duration duration(String path) throws IOException {
        String text = text(path);
        if (text == null) {
            return null;
        }
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException no) {
            flaws.add(new Flaw(path, String.valueOf(no.getMessage())));
            return null;
        }
    }

    private String json() throws IOException {
        StringWriter copy = new StringWriter();
        try (JsonGenerator out = COPIES.createGenerator(copy)) {
            // Numbers as they were written: a double would round them.
            out.copyCurrentStructureExact(in);
        }
        return copy.toString();
    }

    private boolean refuse(String path, String message) throws IOException {
        flaws.add(new Flaw(path, message + (in.currentToken() == null ? ", and there is nothing" : "")));
        in.skipChildren();
        return false;
    }

    private static @Nullable Run orNull(@Nullable String text, Function<String, Run> made) {
        return text == null ? null : made.apply(text);
    }

    private static final class HttpDraft {
        @Nullable
        String method;

        @Nullable
        String url;

        @Nullable
        String body;

        Map<String, String> headers = Map.of();
    }
}
