package dev.hotstate.monitors.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.monitors.alert.Verdict.Delivered;
import dev.hotstate.monitors.alert.Verdict.Failed;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Posts JSON, each message on a connection of its own: one that was kept may be closed by the other side just as it is
 * used, and then nobody knows whether the message arrived.
 */
final class HttpSender implements AutoCloseable {
    private static final int EXCERPT = 300;

    private final CloseableHttpClient client;
    private final InstantSource clock;

    HttpSender(AlertOptions options, InstantSource clock) {
        this.clock = clock;
        Timeout timeout = Timeout.of(options.pace().timeout());
        int most = options.pace().workers() + 100; // beside the workers there are tests of channels
        this.client = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setDnsResolver(new Judge(options.network().allowed()))
                        .setTlsSocketStrategy(
                                new DefaultClientTlsStrategy(options.network().tls()))
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setConnectTimeout(timeout)
                                .setSocketTimeout(timeout)
                                .build())
                        .setMaxConnTotal(most)
                        .setMaxConnPerRoute(most)
                        .build())
                .setConnectionReuseStrategy((request, response, context) -> false)
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .setUserAgent("hotstate")
                .build();
    }

    Verdict post(URI url, byte[] body, Map<String, String> headers) throws IOException {
        HttpPost post = new HttpPost(url);
        headers.forEach(post::setHeader);
        post.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
        try {
            return judge(client.executeOpen(null, post, null));
        } finally {
            // Not closed, which would read the answer to its end: the status says all, and the rest may have no end.
            post.abort();
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }

    private Verdict judge(ClassicHttpResponse response) throws IOException {
        int status = response.getCode();
        if (status >= 200 && status < 300) {
            return new Delivered(null);
        }
        String said = excerpt(response.getEntity());
        return new Failed(
                "answered with status " + status + (said.isEmpty() ? "" : ": " + said),
                status == 429 || status == 503 ? retryAfter(response.getFirstHeader("Retry-After")) : Duration.ZERO);
    }

    /** So much of an answer as is worth keeping, however long it is. */
    private static String excerpt(@Nullable HttpEntity entity) throws IOException {
        return entity == null
                ? ""
                : Text.oneLine(new String(entity.getContent().readNBytes(EXCERPT * 4), UTF_8), EXCERPT);
    }

    /** In seconds, or as a date; what is neither asks for nothing. */
    private Duration retryAfter(@Nullable Header header) {
        String value = header == null ? "" : header.getValue().strip();
        if (value.matches("\\d{1,9}")) {
            return Duration.ofSeconds(Long.parseLong(value));
        }
        try {
            Instant until = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration wait = Duration.between(clock.instant(), until);
            return wait.isNegative() ? Duration.ZERO : wait;
        } catch (DateTimeParseException neither) {
            return Duration.ZERO;
        }
    }
}
