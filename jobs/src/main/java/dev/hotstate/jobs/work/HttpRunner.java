package dev.hotstate.jobs.work;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.hotstate.jobs.Claimed;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Makes the request of a task. An answer of 2xx is success, and its body the result: as JSON where it is, else as text.
 * Other answers are failures, those of 3xx and 4xx for good, but for 408 and 429. Redirects are not followed, as the
 * request may carry secrets that are meant for one host.
 *
 * <p>The same request may be made again when a worker died before it could tell: {@code Idempotency-Key} is the same for
 * all attempts, {@code X-Hotstate-Fence} grows with each.
 */
public final class HttpRunner implements Duty, AutoCloseable {
    /** Numbers as they were answered: a double would round them. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final int EXCERPT = 300;
    private static final int MOST_CONNECTIONS = 10_000;
    private static final Timeout CONNECT = Timeout.ofSeconds(10);
    private static final Set<Integer> WORTH_ANOTHER_TRY = Set.of(408, 429);

    private final CloseableHttpClient client;

    /** @param allowed which addresses may be connected to; each is asked for before it is, whatever name led to it */
    public HttpRunner(Predicate<InetAddress> allowed) {
        this.client = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setDnsResolver(new AllowedAddresses(allowed))
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setConnectTimeout(CONNECT)
                                .build())
                        .setMaxConnTotal(MOST_CONNECTIONS)
                        .setMaxConnPerRoute(MOST_CONNECTIONS)
                        .build())
                // The attempt's own timeout is the one that counts, and aborts whatever is under way.
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setResponseTimeout(Timeout.DISABLED)
                        .build())
                // One that was kept may be closed by the other side just as it is used, and nobody knows what arrived.
                .setConnectionReuseStrategy((request, response, context) -> false)
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .setUserAgent("hotstate")
                .build();
    }

    @Override
    public @Nullable String perform(Claimed task, TaskContext context) throws IOException, RunFailedException {
        HttpUriRequestBase request = HttpTaskRequest.of(task);
        context.onStop(request::abort);
        try {
            return judge(client.executeOpen(null, request, null));
        } catch (AllowedAddresses.RefusedException refused) {
            throw new NotRetryableException(String.valueOf(refused.getMessage()), refused);
        } finally {
            // Not closed, which would read the answer to its end, and that may never come.
            request.abort();
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }

    private static @Nullable String judge(ClassicHttpResponse response) throws IOException, RunFailedException {
        int status = response.getCode();
        if (status >= 200 && status < 300) {
            return result(status, response.getEntity());
        }
        String said = excerpt(response.getEntity());
        String error = "answered with status " + status + (said.isEmpty() ? "" : ": " + said);
        if (status < 500 && !WORTH_ANOTHER_TRY.contains(status)) {
            throw new NotRetryableException(error);
        }
        throw new RunFailedException(error);
    }

    private static @Nullable String result(int status, @Nullable HttpEntity entity) throws IOException {
        byte[] body = entity == null ? new byte[0] : entity.getContent().readNBytes(Json.MOST_BYTES + 1);
        if (body.length == 0) {
            return null;
        }
        if (body.length > Json.MOST_BYTES) {
            throw new NotRetryableException("answered with status " + status + ", but its body is larger than "
                    + Json.MOST_BYTES + " bytes, the most that a result may have");
        }
        String text = new String(body, UTF_8);
        return Json.bounded(
                isJson(entity) ? asJson(text) : TextNode.valueOf(text).toString());
    }

    private static boolean isJson(@Nullable HttpEntity entity) {
        String type = entity == null ? null : entity.getContentType();
        return type != null && type.matches("(?i)application/([\\w.+-]+\\+)?json\\b.*");
    }

    private static String asJson(String text) {
        try {
            JsonNode value = JSON.readTree(text);
            return value.isMissingNode() ? TextNode.valueOf(text).toString() : value.toString();
        } catch (JsonProcessingException other) {
            return TextNode.valueOf(text).toString();
        }
    }

    private static String excerpt(@Nullable HttpEntity entity) throws IOException {
        if (entity == null) {
            return "";
        }
        String text = new String(entity.getContent().readNBytes(EXCERPT * 4), UTF_8)
                .replaceAll("\\s+", " ")
                .strip();
        return text.length() > EXCERPT ? text.substring(0, EXCERPT) + "…" : text;
    }
}
