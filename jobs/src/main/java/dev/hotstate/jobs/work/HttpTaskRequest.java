package dev.hotstate.jobs.work;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.hotstate.jobs.Claimed;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

/** The request that a task's {@code run} asks for, and who makes it. Without a body of its own it carries the input. */
final class HttpTaskRequest {
    private static final ObjectMapper JSON = new JsonMapper();
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private HttpTaskRequest() {}

    /** @throws NotRetryableException where it is no request */
    static HttpUriRequestBase of(Claimed task) {
        JsonNode http = http(task.run());
        String method = http.path("method").asText("GET").toUpperCase(Locale.ROOT);
        HttpUriRequestBase request =
                new HttpUriRequestBase(method, url(http.path("url").asText()));
        for (Map.Entry<String, JsonNode> header : http.path("headers").properties()) {
            request.setHeader(
                    header.getKey(), plain(header.getKey(), header.getValue().asText()));
        }
        String body = http.hasNonNull("body") ? http.get("body").asText() : inputFor(method, task);
        if (body != null) {
            request.setEntity(new ByteArrayEntity(body.getBytes(UTF_8), null));
            if (!request.containsHeader("Content-Type")) {
                request.setHeader("Content-Type", "application/json");
            }
        }
        request.setHeader("X-Hotstate-Job", task.jobId());
        request.setHeader("X-Hotstate-Task", task.taskId());
        request.setHeader("X-Hotstate-Attempt", Integer.toString(task.attempt()));
        request.setHeader("X-Hotstate-Fence", task.fence().toString());
        request.setHeader("Idempotency-Key", task.jobId() + "/" + task.taskId() + "/" + task.epoch());
        return request;
    }

    private static JsonNode http(@Nullable String run) {
        try {
            JsonNode http = JSON.readTree(run == null ? "{}" : run).path("http");
            if (http.isObject()) {
                return http;
            }
        } catch (JsonProcessingException broken) {
            throw new NotRetryableException("the task's run is not JSON", broken);
        }
        throw new NotRetryableException("the task has no HTTP request");
    }

    private static URI url(String text) {
        try {
            URI url = new URI(text);
            String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            if (url.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                return url;
            }
        } catch (URISyntaxException malformed) {
            throw new NotRetryableException("\"" + text + "\" is not a URL: " + malformed.getReason(), malformed);
        }
        throw new NotRetryableException("\"" + text + "\" is not a URL of http or https with a host");
    }

    /** A line break would begin another header, or the body. */
    private static String plain(String name, String value) {
        if ((name + value).chars().anyMatch(c -> c < ' ' && c != '\t' || c == 127)) {
            throw new NotRetryableException("the header \"" + name.strip() + "\" has a control character in it");
        }
        return value;
    }

    private static @Nullable String inputFor(String method, Claimed task) {
        return WITH_BODY.contains(method) ? task.input() : null;
    }
}
