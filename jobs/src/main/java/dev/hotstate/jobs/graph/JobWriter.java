package dev.hotstate.jobs.graph;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.hotstate.core.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Writes a job without what is default anyway. */
final class JobWriter {
    private JobWriter() {}

    static void write(JobSpec job, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("id", job.id());
        out.writeStringField("name", job.name());
        out.writeStringField("created_by", job.createdBy());
        if (job.idempotencyKey() != null) {
            out.writeStringField("idempotency_key", job.idempotencyKey());
        }
        if (job.priority() != 0) {
            out.writeNumberField("priority", job.priority());
        }
        text(out, "queue", job.queue(), JobDefaults.QUEUE);
        duration(out, "delay", job.delay(), Duration.ZERO);
        out.writeArrayFieldStart("tasks");
        for (TaskSpec task : job.tasks()) {
            write(task, job, out);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void write(TaskSpec task, JobSpec job, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("id", task.id());
        text(out, "name", task.name(), task.id());
        if (!task.needs().isEmpty()) {
            out.writeArrayFieldStart("needs");
            for (String need : task.needs()) {
                out.writeString(need);
            }
            out.writeEndArray();
        }
        text(out, "trigger", task.trigger().word(), Trigger.ALL_SUCCESS.word());
        text(out, "queue", task.queue(), job.queue());
        if (!(task.run() instanceof Run.External)) {
            out.writeFieldName("run");
            write(task.run(), out);
        }
        if (task.input() != null) {
            out.writeFieldName("input");
            out.writeRawValue(task.input());
        }
        if (task.maxRetries() != 0) {
            out.writeNumberField("max_retries", task.maxRetries());
        }
        duration(out, "backoff", task.backoff(), JobDefaults.BACKOFF);
        duration(out, "timeout", task.timeout(), JobDefaults.TIMEOUT);
        if (task.priority() != job.priority()) {
            out.writeNumberField("priority", task.priority());
        }
        out.writeEndObject();
    }

    private static void write(Run run, JsonGenerator out) throws IOException {
        out.writeStartObject();
        switch (run) {
            case Run.External external -> {}
            case Run.Handler handler -> out.writeStringField("handler", handler.name());
            case Run.Shell shell -> out.writeStringField("shell", shell.command());
            case Run.Http http -> {
                out.writeObjectFieldStart("http");
                out.writeStringField("method", http.method());
                out.writeStringField("url", http.url());
                out.writeObjectFieldStart("headers");
                for (Map.Entry<String, String> header : http.headers().entrySet()) {
                    out.writeStringField(header.getKey(), header.getValue());
                }
                out.writeEndObject();
                if (http.body() != null) {
                    out.writeStringField("body", http.body());
                }
                out.writeEndObject();
            }
        }
        out.writeEndObject();
    }

    private static void text(JsonGenerator out, String field, String value, String usual) throws IOException {
        if (!value.equals(usual)) {
            out.writeStringField(field, value);
        }
    }

    private static void duration(JsonGenerator out, String field, Duration value, Duration usual) throws IOException {
        if (!value.equals(usual)) {
            out.writeStringField(field, Durations.print(value));
        }
    }
}
