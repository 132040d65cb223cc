package dev.hotstate.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlowClientsIT {
    @Test
    void aClientThatDoesNotEndItsHeadersIsCut() throws IOException {
        try (var server = TestServer.open();
                var socket = connect(server)) {
            write(socket, "GET / HTTP/1.1\r\nHost: localhost:" + server.port() + "\r\nX-Slow: ");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aClientThatDoesNotReadItsStreamIsCut() throws Exception {
        var ended = new CountDownLatch(1);
        var flood = TestServer.routes(Route.get(
                "/flood",
                Access.VIEWER,
                request -> Answer.stream("text/plain", out -> {
                    try {
                        while (true) {
                            out.write(new byte[1 << 16]);
                            out.flush();
                        }
                    } finally {
                        ended.countDown();
                    }
                })));
        try (var server = TestServer.open(flood);
                var socket = connect(server)) {
            write(socket, "GET /flood HTTP/1.1\r\nHost: localhost:" + server.port() + "\r\n\r\n");
            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static Socket connect(TestServer server) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }
}
