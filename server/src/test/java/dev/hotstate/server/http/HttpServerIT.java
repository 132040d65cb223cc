package dev.hotstate.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpServerIT {
    private static final Routes PING =
            TestServer.routes(Route.get("/ping-me", Access.PUBLIC, request -> Answer.ok(request.isSecure())));

    @TempDir
    private Path folder;

    @Test
    void itTellsWhereItListens() {
        try (var server = start(HttpOptions.onLoopback(0), Authenticator.none())) {
            assertThat(server.port()).isPositive();
            assertThat(server.url()).isEqualTo("http://127.0.0.1:" + server.port());
        }
    }

    @Test
    void aBusyPortIsToldInOneSentence() throws IOException {
        try (var other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThatThrownBy(() -> start(HttpOptions.onLoopback(other.getLocalPort()), Authenticator.none()))
                    .isInstanceOf(CannotStartException.class)
                    .hasMessage(
                            "port %d on 127.0.0.1 is already in use: stop what listens there, or choose another port"
                                    .formatted(other.getLocalPort()));
        }
    }

    @Test
    void aHostThatIsNotOursIsToldInOneSentence() {
        assertThatThrownBy(() -> start(on("192.0.2.1", null, null), withTokens()))
                .isInstanceOf(CannotStartException.class)
                .hasMessage("the host \"192.0.2.1\" is not an address of this machine");
        assertThatThrownBy(() -> start(on("no-such-host.invalid", null, null), withTokens()))
                .isInstanceOf(CannotStartException.class)
                .hasMessageContaining("is not known here");
    }

    @Test
    void beyondLoopbackItDoesNotStartWithoutTokens() {
        assertThatThrownBy(() -> start(on("0.0.0.0", null, null), Authenticator.none()))
                .isInstanceOf(CannotStartException.class)
                .hasMessageContaining("hotstate token create");
    }

    @Test
    void beyondLoopbackEveryCallNeedsAToken() {
        var routes = TestServer.routes(Route.get("/read", Access.VIEWER, request -> Answer.noContent()));
        try (var server = new TestServer(
                HttpServer.start(on("0.0.0.0", null, null), List.of(routes), withTokens(), HttpServer.Hooks.NONE))) {
            assertThat(server.url()).startsWith("http://localhost:");
            assertThat(server.rawGet("/read", "any.example")).startsWith("HTTP/1.1 401 ");
        }
    }

    @Test
    void aCertificateThatCannotBeReadIsToldInOneSentence() throws IOException {
        var missing = folder.resolve("missing.pem");
        assertThatThrownBy(() -> start(on("127.0.0.1", missing, missing), Authenticator.none()))
                .isInstanceOf(CannotStartException.class)
                .hasMessage("the TLS certificate " + missing + " cannot be read: check its path and rights");
        var nonsense = Files.writeString(folder.resolve("nonsense.pem"), "not a certificate");
        assertThatThrownBy(() -> start(on("127.0.0.1", nonsense, nonsense), Authenticator.none()))
                .isInstanceOf(CannotStartException.class)
                .hasMessageContaining("cannot be used");
    }

    @Test
    void withACertificateItSpeaksHttps() throws Exception {
        var store = keyStore();
        try (var server = start(withCertificate(store), Authenticator.none());
                var client = HttpClient.newBuilder().sslContext(trusting(store)).build()) {
            assertThat(server.url()).startsWith("https://127.0.0.1:");
            var answer = client.send(
                    HttpRequest.newBuilder(URI.create(server.url() + "/ping-me"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("true");
            assertThat(answer.headers().firstValue("Strict-Transport-Security")).contains("max-age=31536000");
        }
    }

    @Test
    void aClientThatLeavesWhileItsCallWaitsIsSeenToBeGoneOverHttpsToo() throws Exception {
        var store = keyStore();
        var ends = new LinkedBlockingQueue<String>();
        var left = new CountDownLatch(1);
        var waiting = TestServer.routes(Route.get("/wait", Access.VIEWER, request -> {
            request.whenGone(left::countDown);
            return Answer.ok(ends.take());
        }));
        try (var server = HttpServer.start(
                withCertificate(store), List.of(waiting), Authenticator.none(), HttpServer.Hooks.NONE)) {
            var sockets = trusting(store).getSocketFactory();
            try (var client = new RawClient(sockets.createSocket("127.0.0.1", server.port()))) {
                for (var end : List.of("first", "second")) {
                    client.get("/wait");
                    ends.add(end);
                    assertThat(client.answer()).isEqualTo("\"" + end + "\"");
                }
                client.get("/wait");
            }
            left.await();
            ends.add("third");
        }
    }

    @Test
    void aRequestUnderWayEndsBeforeTheServerDoes() throws Exception {
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var slow = TestServer.routes(Route.get("/slow", Access.VIEWER, request -> {
            begun.countDown();
            goOn.await();
            return Answer.ok("done");
        }));
        var server =
                HttpServer.start(HttpOptions.onLoopback(0), List.of(slow), Authenticator.none(), HttpServer.Hooks.NONE);
        try (var client = HttpClient.newHttpClient()) {
            var answer = client.sendAsync(
                    HttpRequest.newBuilder(URI.create(server.url() + "/slow")).build(),
                    HttpResponse.BodyHandlers.ofString());
            begun.await();
            var closed = CompletableFuture.runAsync(server::close);
            awaitRefusal(server.port());
            goOn.countDown();
            assertThat(answer.get().body()).isEqualTo("\"done\"");
            closed.get();
        }
    }

    @Test
    void aRequestThatNeverEndsDoesNotHoldTheServerForEver() throws Exception {
        var begun = new CountDownLatch(1);
        var stuck = TestServer.routes(Route.get("/stuck", Access.VIEWER, request -> {
            begun.countDown();
            new CountDownLatch(1).await();
            return Answer.noContent();
        }));
        var options = new HttpOptions("127.0.0.1", 0, null, null, 1000, List.of(), false, Duration.ofMillis(200));
        var server = HttpServer.start(options, List.of(stuck), Authenticator.none(), HttpServer.Hooks.NONE);
        try (var client = HttpClient.newHttpClient()) {
            var answer = client.sendAsync(
                    HttpRequest.newBuilder(URI.create(server.url() + "/stuck")).build(),
                    HttpResponse.BodyHandlers.ofString());
            begun.await();
            server.close();
            // It is told, if its connection lives long enough for that.
            assertThat(answer.handle((told, cut) -> cut != null || told.statusCode() == 503))
                    .succeedsWithin(Duration.ofSeconds(20))
                    .isEqualTo(true);
        }
    }

    private static void awaitRefusal(int port) {
        try {
            while (true) {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
            }
        } catch (IOException refused) {
            // It takes no more connections: it is closing.
        }
    }

    private static HttpServer start(HttpOptions options, Authenticator authenticator) {
        return HttpServer.start(options, List.of(PING), authenticator, HttpServer.Hooks.NONE);
    }

    private static HttpOptions on(String host, Path certificate, Path key) {
        return new HttpOptions(host, 0, certificate, key, 1000, List.of(), false, Duration.ofSeconds(5));
    }

    private HttpOptions withCertificate(KeyStore store) throws Exception {
        var key = store.getKey("test", "changeit".toCharArray()).getEncoded();
        return on(
                "127.0.0.1",
                Files.writeString(
                        folder.resolve("cert.pem"),
                        pem("CERTIFICATE", store.getCertificate("test").getEncoded())),
                Files.writeString(folder.resolve("key.pem"), pem("PRIVATE KEY", key)));
    }

    private static Authenticator withTokens() {
        return new Authenticator() {
            @Override
            public Optional<Caller> byToken(String token) {
                return Optional.empty();
            }

            @Override
            public Optional<Caller> bySession(String cookie) {
                return Optional.empty();
            }

            @Override
            public boolean hasTokens() {
                return true;
            }
        };
    }

    private KeyStore keyStore() throws Exception {
        var file = folder.resolve("test.p12");
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var made = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "test",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=IP:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        file.toString())
                .inheritIO()
                .start();
        assertThat(made.waitFor()).isZero();
        return KeyStore.getInstance(file.toFile(), "changeit".toCharArray());
    }

    private static SSLContext trusting(KeyStore store) throws Exception {
        var trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("test", store.getCertificate("test"));
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trust);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static String pem(String what, byte[] der) {
        var text = Base64.getMimeEncoder(64, "\n".getBytes()).encodeToString(der);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
