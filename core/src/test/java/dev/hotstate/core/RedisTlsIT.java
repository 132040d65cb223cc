package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis that speaks TLS, with a certificate that is made for the test. */
class RedisTlsIT {
    private static final String PASSWORD = "changeit";

    @TempDir
    private Path folder;

    private int port;

    @Test
    void aCertificateOfAnAuthorityThatTheUrlNamesIsTrusted() throws Exception {
        try (RedisServer server = startCertifiedFor("ip:127.0.0.1")) {
            speak(url("?ca=" + folder.resolve("certificate.pem")), server);
        }
    }

    @Test
    void aCertificateThatNobodyWeTrustHasSignedIsRefusedUnlessTheUrlSaysOtherwise() throws Exception {
        try (RedisServer server = startCertifiedFor("ip:127.0.0.1")) {
            refused(url(""), "is not signed by anyone we trust");
            speak(url("?verify=none"), server);
        }
    }

    @Test
    void aCertificateForAnotherHostIsRefusedUnlessTheUrlSaysOtherwise() throws Exception {
        try (RedisServer server = startCertifiedFor("dns:redis.example")) {
            String url = url("?ca=" + folder.resolve("certificate.pem"));

            refused(url, "its TLS certificate is for another host");
            speak(url + "&verify=ca", server);
        }
    }

    private String url(String query) {
        return "rediss://127.0.0.1:" + port + query;
    }

    private static void speak(String url, RedisServer server) {
        Key key = Sample.counter("p0", "tls");
        try (Redis redis = Sample.connect(Sample.patient(url))) {
            Sample.set(redis, key, "1");
        }
        assertThat(server.commands().get(Sample.nameOf(key))).isEqualTo("1");
    }

    private static void refused(String url, String reason) {
        assertThatThrownBy(() -> Sample.connect(Sample.patient(url)).close())
                .isInstanceOf(RedisUnavailableException.class)
                .hasMessageContaining(reason);
    }

    private RedisServer startCertifiedFor(String name) throws Exception {
        Path store = folder.resolve("server.p12");
        makeKeys(name, store);
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        Path certificate = pem("certificate", keys.getCertificate("server").getEncoded());
        Path key =
                pem("private key", keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
        port = freePort();
        return RedisServer.start(
                "tls-port " + port,
                "tls-cert-file " + certificate,
                "tls-key-file \"" + key + "\"",
                "tls-ca-cert-file " + certificate,
                "tls-auth-clients no");
    }

    private static void makeKeys(String name, Path store) throws IOException, InterruptedException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        String options =
                " -genkeypair -alias server -keyalg EC -dname CN=test -storetype PKCS12 -storepass " + PASSWORD;
        Process process = new ProcessBuilder(
                        (keytool + options + " -ext san=" + name + " -keystore " + store).split(" "))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    private Path pem(String kind, byte[] content) throws IOException {
        String frame = "-----%s " + kind.toUpperCase() + "-----\n";
        return Files.writeString(
                folder.resolve(kind + ".pem"),
                frame.formatted("BEGIN") + Base64.getMimeEncoder().encodeToString(content) + "\n"
                        + frame.formatted("END"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
