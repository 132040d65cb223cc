package dev.hotstate.server.http;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server, put together from what the features bring. Blocking code on virtual threads, HTTP/1.1, HTTPS when a
 * certificate is given.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final int MOST_CONNECTIONS = 10_000;
    private static final int LONGEST_REQUEST_LINE = 8 << 10;
    private static final int LARGEST_HEADERS = 16 << 10;
    // A connection without a request, or with half a request line, is closed after this.
    private static final Duration IDLE = Duration.ofSeconds(60);
    // A body that is too large is read to its end up to this much more, so that its sender sees the 413, not a reset.
    private static final long DRAINED_BYTES = 32L << 20;

    private final HttpOptions options;
    private final List<? extends Routes> features;
    private final Watchdog watchdog;
    private final WebServer server;

    /**
     * What hears and translates on behalf of other parts.
     *
     * @param observers are told of every request
     * @param admissions may refuse one before it is answered
     * @param failures say what to answer when a part of the system fails; the first that knows a failure wins
     */
    public record Hooks(List<RequestObserver> observers, List<Admission> admissions, List<FailureMapping> failures) {
        public static final Hooks NONE = new Hooks(List.of(), List.of(), List.of());
    }

    private HttpServer(HttpOptions options, List<? extends Routes> features, Watchdog watchdog, WebServer server) {
        this.options = options;
        this.features = features;
        this.watchdog = watchdog;
        this.server = server;
    }

    /**
     * Listens. When this returns, requests are answered.
     *
     * @throws CannotStartException when it cannot listen there, or must not
     */
    public static HttpServer start(
            HttpOptions options, List<? extends Routes> features, Authenticator authenticator, Hooks hooks) {
        refuseToListenUnguarded(options, authenticator);
        refuseUnbindable(options);
        var table = new RouteTable(features);
        var gate = new Gate(options, authenticator);
        var headers = new SecurityHeaders(options.tls());
        var extras = new Dispatcher.AnswerExtras(headers, hooks);
        var watchdog = new Watchdog();
        var bodies = new BodyReader(options.maxBodyBytes(), watchdog);
        var connections = new WatchedConnections(http1(watchdog));
        var dispatcher = new Dispatcher(table, new Request.Context(bodies, gate, connections), watchdog, extras);
        var config = WebServer.builder()
                .routing(HttpRouting.builder().any(dispatcher))
                .directHandlers(DirectProblems.with(headers))
                .protocolsDiscoverServices(false)
                .addConnectionSelector(connections);
        try {
            var server = new HttpServer(options, features, watchdog, listen(config, options, table.largestBody()));
            LOG.debug("The calls of this server:\n{}", table.onOneScreen());
            return server;
        } catch (RuntimeException | Error failed) {
            watchdog.close();
            throw failed;
        }
    }

    /** The port it listens on. */
    public int port() {
        return server.port();
    }

    /** Where a person on this machine finds it. */
    public String url() {
        var address = options.address();
        var host = address.isAnyLocalAddress() ? "localhost" : options.host();
        return (options.tls() ? "https://" : "http://") + (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
    }

    /** Takes no more requests, ends streams at once, and lets the requests under way end within the timeout. */
    @Override
    public void close() {
        features.forEach(Routes::stopping);
        server.stop();
        watchdog.close();
    }

    private static void refuseToListenUnguarded(HttpOptions options, Authenticator authenticator) {
        if (!options.address().isLoopbackAddress() && !authenticator.hasTokens()) {
            throw new CannotStartException("others can reach " + options.host()
                    + ", and no token exists to tell them apart: make one with `hotstate token create NAME --role admin`,"
                    + " or listen on 127.0.0.1");
        }
    }

    /** Helidon tells only that it failed; a bind of our own tells why. */
    private static void refuseUnbindable(HttpOptions options) {
        try (var probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(options.address(), options.port()));
        } catch (BindException e) {
            throw new CannotStartException(reason(options, String.valueOf(e.getMessage())), e);
        } catch (IOException e) {
            throw new CannotStartException(
                    "cannot listen on " + options.host() + " port " + options.port() + ": " + e.getMessage(), e);
        }
    }

    private static String reason(HttpOptions options, String message) {
        if (message.contains("in use")) {
            return "port %d on %s is already in use: stop what listens there, or choose another port"
                    .formatted(options.port(), options.host());
        }
        if (message.contains("ermission")) {
            return "this user may not listen on port %d: choose one from 1024 on".formatted(options.port());
        }
        return "the host \"%s\" is not an address of this machine".formatted(options.host());
    }

    private static Http1Config http1(Watchdog watchdog) {
        return Http1Config.builder()
                .maxPrologueLength(LONGEST_REQUEST_LINE)
                .maxHeadersSize(LARGEST_HEADERS)
                .addReceiveListener(new SlowHeaders(watchdog))
                .build();
    }

    private static WebServer listen(WebServerConfig.Builder config, HttpOptions options, int largestBody) {
        config.address(options.address())
                .port(options.port())
                .shutdownHook(false)
                .shutdownGracePeriod(options.shutdownTimeout())
                .maxPayloadSize(Math.max(options.maxBodyBytes(), largestBody) + DRAINED_BYTES)
                .maxTcpConnections(MOST_CONNECTIONS)
                .idleConnectionTimeout(IDLE)
                .idleConnectionPeriod(Duration.ofSeconds(5))
                // Or an answer of two packets waits 40 ms for a client that puts off its acknowledgement.
                .connectionOptions(socket -> socket.tcpNoDelay(true));
        if (options.tls()) {
            config.tls(TlsFiles.read(file(options.certificate()), file(options.key())));
        }
        var server = config.build().start();
        if (!server.isRunning()) {
            throw new CannotStartException("cannot listen on " + options.host() + " port " + options.port()
                    + ": the log above has the reason");
        }
        return server;
    }

    private static Path file(@Nullable Path path) {
        return Objects.requireNonNull(path);
    }
}
