package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class TcpProxyIT {
    private final TcpProxy proxy;

    TcpProxyIT(RedisServer redis) {
        proxy = TcpProxy.to(redis.port());
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void bytesPassBothWaysAndAreCounted() throws IOException {
        try (Socket socket = connect()) {
            assertThat(ping(socket)).isEqualTo("+PONG\r\n");
        }
        assertThat(proxy.connections()).isEqualTo(1);
        assertThat(proxy.bytesToServer()).isEqualTo("PING\r\n".length());
        assertThat(proxy.bytesToClient()).isEqualTo("+PONG\r\n".length());
    }

    @Test
    void aCutEndsConnectionsAndRefusesNewOnesUntilRestored() throws IOException {
        try (Socket socket = connect()) {
            ping(socket);
            proxy.cut();
            assertThat(socket.getInputStream().read()).as("end of stream").isEqualTo(-1);
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        }
        proxy.restore();
        try (Socket socket = connect()) {
            assertThat(ping(socket)).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void aBlackHoleAcceptsAndAnswersNothingUntilRestored() throws IOException {
        try (Socket old = connect()) {
            ping(old);
            proxy.blackhole();
            try (Socket young = connect()) {
                for (Socket socket : new Socket[] {old, young}) {
                    socket.setSoTimeout(200);
                    assertThatThrownBy(() -> ping(socket)).isInstanceOf(SocketTimeoutException.class);
                    socket.setSoTimeout(10_000);
                }
                proxy.restore();
                assertThat(read(old)).as("what was sent meanwhile is answered").isEqualTo("+PONG\r\n");
                assertThat(read(young)).isEqualTo("+PONG\r\n");
            }
        }
    }

    @Test
    void aResetBreaksConnectionsButNotTheNext() throws IOException {
        try (Socket socket = connect()) {
            ping(socket);
            proxy.reset();
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
        try (Socket socket = connect()) {
            assertThat(ping(socket)).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void aDelayHoldsAnswersBackAndLosesNothing() throws IOException {
        try (Socket socket = connect()) {
            ping(socket);
            proxy.delay(Duration.ofMillis(400));
            socket.setSoTimeout(200);
            assertThatThrownBy(() -> ping(socket)).isInstanceOf(SocketTimeoutException.class);
            socket.setSoTimeout(10_000);
            assertThat(read(socket)).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void aDeadServerLooksDeadThroughTheProxy() throws IOException {
        try (var redis = RedisServer.start();
                var toRedis = TcpProxy.to(redis.port());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), toRedis.port())) {
            ping(socket);
            redis.kill();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            try (Socket late = new Socket(InetAddress.getLoopbackAddress(), toRedis.port())) {
                assertThat(late.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static String ping(Socket socket) throws IOException {
        socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
        return read(socket);
    }

    private static String read(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes("+PONG\r\n".length()), StandardCharsets.US_ASCII);
    }
}
