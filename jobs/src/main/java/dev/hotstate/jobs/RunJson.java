package dev.hotstate.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hotstate.jobs.graph.Run;
import dev.hotstate.jobs.graph.TaskSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a worker of the kinds {@code shell} and {@code http} is told to do, as documents spell it. */
final class RunJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RunJson() {}

    /** Null for an external worker, who knows; and for a handler, whose name is in the lane that its tasks are claimed from. */
    static @Nullable String write(TaskSpec task) {
        return switch (task.run()) {
            case Run.External any -> null;
            case Run.Handler named -> null;
            case Run.Shell shell -> json(Map.of("shell", shell.command()));
            case Run.Http http -> json(Map.of("http", fields(http)));
        };
    }

    private static Map<String, Object> fields(Run.Http http) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("method", http.method());
        fields.put("url", http.url());
        fields.put("headers", http.headers());
        if (http.body() != null) {
            fields.put("body", http.body());
        }
        return fields;
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
