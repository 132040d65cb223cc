package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis that speaks TLS, with a certificate that is made for the test. */
class RedisTlsIT {
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
            // A line would be in the clear: there is none, and the call goes the shared way.
            List<Key> keys = List.of(Sample.counter("p0", "a"), Sample.counter("p0", "b"));
            for (long i = 1; i <= 3; i++) {
                assertThat(Sample.ADD.runDirectly(redis, keys, List.of("1"))).containsExactly(i, i);
            }
            assertThat(redis.usage().lines()).isZero();
        }
        assertThat(server.commands().get(Sample.nameOf(key))).isEqualTo("1");
    }

    private static void refused(String url, String reason) {
        assertThatThrownBy(() -> Sample.connect(Sample.patient(url)).close())
                .isInstanceOf(RedisUnavailableException.class)
                .hasMessageContaining(reason);
    }

    private RedisServer startCertifiedFor(String name) throws Exception {
        TestCertificate tls = TestCertificate.make(name, folder);
        port = freePort();
        return RedisServer.start(
                "tls-port " + port,
                "tls-cert-file " + tls.certificate(),
                "tls-key-file " + tls.key(),
                "tls-ca-cert-file " + tls.certificate(),
                "tls-auth-clients no");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
