package dev.hotstate.audit.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Servers that are silent, hostile, or not there. */
@ExtendWith(Testkit.class)
class ConnectionIT {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LITTLE = Duration.ofMillis(200);

    @Test
    void afterASilenceTheConnectionHasEndedAndALateAnswerIsNobodys(RedisServer server) throws IOException {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                Connection connection = Connection.open(at("127.0.0.1", proxy.port()), LITTLE)) {
            proxy.delay(LITTLE.multipliedBy(3));
            assertThatThrownBy(() -> connection.call("ECHO", "first"))
                    .isInstanceOf(UnansweredException.class)
                    .hasMessageEndingWith("did not answer in time");
            proxy.delay(Duration.ZERO);

            assertThatThrownBy(() -> connection.call("ECHO", "second"))
                    .isInstanceOf(UnansweredException.class)
                    .hasMessageContaining("ended the connection");
        }
    }

    @Test
    void theWordsOfAServerThatRefusesDoNotActOnTheTerminal() throws IOException {
        try (ServerSocket hostile = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> refuse(hostile));

            assertThatThrownBy(() -> Connection.open(
                            new Endpoint("127.0.0.1", hostile.getLocalPort(), null, "secret", 0, null), PATIENCE))
                    .isInstanceOf(UnansweredException.class)
                    .hasMessageContaining("did not let us in: ERR \\x1b[2J\\x1b]0;owned\\x07")
                    .hasMessageNotContainingAny("\u001b", "\u0007", "secret");
            answering.join();
        }
    }

    @Test
    void aHostThatNobodyKnowsIsSaidToBeUnknown() {
        assertThatThrownBy(() -> Connection.open(at("nowhere.invalid", 6379), PATIENCE))
                .isInstanceOf(UnansweredException.class)
                .hasMessage("nowhere.invalid:6379 was not reached: no address is known for this name");
    }

    private static void refuse(ServerSocket hostile) {
        try (var client = hostile.accept()) {
            assertThat(client.getInputStream().read()).isEqualTo('*');
            client.getOutputStream().write("-ERR \u001b[2J\u001b]0;owned\u0007\r\n".getBytes(UTF_8));
            client.getOutputStream().flush();
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException gone) {
            // The client has what it came for.
        }
    }

    private static Endpoint at(String host, int port) {
        return new Endpoint(host, port, null, null, 0, null);
    }
}
