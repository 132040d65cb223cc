package dev.hotstate.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** All of them are slow at the same time, since a server is patient for seconds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowClientsIT {
    private final CountDownLatch floodEnded = new CountDownLatch(1);
    private final TestServer server = TestServer.open(
            TestServer.routes(Route.get("/flood", Access.VIEWER, request -> Answer.stream("text/plain", this::flood))));
    private Socket speaker;
    private Socket listener;

    @BeforeAll
    void connect() throws IOException {
        speaker = send("GET / HTTP/1.1\r\nHost: localhost:" + server.port() + "\r\nX-Slow: ");
        listener = send("GET /flood HTTP/1.1\r\nHost: localhost:" + server.port() + "\r\n\r\n");
    }

    @AfterAll
    void close() throws IOException {
        speaker.close();
        listener.close();
        server.close();
    }

    @Test
    void aClientThatDoesNotEndItsHeadersIsCut() throws IOException {
        assertThat(speaker.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void aClientThatDoesNotReadItsStreamIsCut() throws Exception {
        assertThat(floodEnded.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private void flood(OutputStream out) throws IOException {
        try {
            while (true) {
                out.write(new byte[1 << 16]);
                out.flush();
            }
        } finally {
            floodEnded.countDown();
        }
    }

    private Socket send(String text) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }
}
