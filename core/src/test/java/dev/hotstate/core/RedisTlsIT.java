package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** TLS to a Redis, ended before it by a small proxy, because the embedded Redis is built without. */
@ExtendWith(Testkit.class)
class RedisTlsIT {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final RedisServer server;

    @TempDir
    private Path folder;

    RedisTlsIT(RedisServer server) {
        this.server = server;
    }

    @Test
    void aCertificateOfAnAuthorityThatTheUrlNamesIsTrusted() throws Exception {
        try (ServerSocket tls = listen("ip:127.0.0.1")) {
            speak("rediss://127.0.0.1:" + tls.getLocalPort() + "?ca=" + folder.resolve("ca.pem"));
        }
    }

    @Test
    void aCertificateThatNobodyWeTrustHasSignedIsRefused() throws Exception {
        try (ServerSocket tls = listen("ip:127.0.0.1")) {
            refused("rediss://127.0.0.1:" + tls.getLocalPort(), "is not signed by anyone we trust");
        }
    }

    @Test
    void aCertificateForAnotherHostIsRefusedUnlessTheUrlSaysOtherwise() throws Exception {
        try (ServerSocket tls = listen("dns:redis.example")) {
            String url = "rediss://127.0.0.1:" + tls.getLocalPort() + "?ca=" + folder.resolve("ca.pem");

            refused(url, "its TLS certificate is for another host");
            speak(url + "&verify=ca");
        }
    }

    @Test
    void anyCertificateIsTakenWhereTheUrlSaysSo() throws Exception {
        try (ServerSocket tls = listen("dns:redis.example")) {
            speak("rediss://127.0.0.1:" + tls.getLocalPort() + "?verify=none");
        }
    }

    private static void speak(String url) {
        try (Redis redis = Sample.connect(Sample.patient(url))) {
            Sample.set(redis, Sample.counter("p0", "tls"), "1");
            assertThat(Sample.get(redis, Sample.counter("p0", "tls"))).isEqualTo("1");
        }
    }

    private static void refused(String url, String reason) {
        assertThatThrownBy(() -> Sample.connect(Sample.patient(url)).close())
                .isInstanceOf(RedisUnavailableException.class)
                .hasMessageContaining(reason);
    }

    private ServerSocket listen(String certifiedName) throws Exception {
        Path store = folder.resolve("server.p12");
        keytool("-genkeypair -alias server -keyalg EC -dname CN=test -ext san=" + certifiedName, store);
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
        byte[] certificate = keys.getCertificate("server").getEncoded();
        Files.writeString(
                folder.resolve("ca.pem"),
                "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(certificate)
                        + "\n-----END CERTIFICATE-----\n");
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        ServerSocket tls = context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(() -> accept(tls));
        return tls;
    }

    private static void keytool(String command, Path store) throws IOException, InterruptedException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        String options = " -storetype PKCS12 -storepass changeit -keystore " + store;
        Process process = new ProcessBuilder((tool + " " + command + options).split(" "))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(said).isZero();
    }

    private void accept(ServerSocket tls) {
        try {
            while (true) {
                Socket client = tls.accept();
                Socket redis = new Socket(InetAddress.getLoopbackAddress(), server.port());
                Thread.startVirtualThread(() -> pass(client, redis));
                Thread.startVirtualThread(() -> pass(redis, client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException ended) {
            // One of the two has hung up.
        }
    }
}
