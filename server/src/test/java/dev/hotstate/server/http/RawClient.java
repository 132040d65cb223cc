package dev.hotstate.server.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client of one connection, byte by byte: it sends when it likes, reads one answer after the other, and leaves. */
public final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final int port;

    /** @param socket connected to a server on this machine, maybe by TLS */
    RawClient(Socket socket) throws IOException {
        this.socket = socket;
        this.port = socket.getPort();
        socket.setSoTimeout(20_000);
    }

    public static RawClient to(int port) {
        try {
            return new RawClient(new Socket("127.0.0.1", port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Several requests go out at once, none of which waits for an answer. */
    public void get(String... paths) {
        var requests = new StringBuilder();
        for (String path : paths) {
            requests.append("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n");
        }
        send(requests.toString());
    }

    public void post(String path, String json) {
        send("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
                + "\r\nContent-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n" + json);
    }

    public void send(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The body of the next answer, which must have a length; empty where the connection ends before it. */
    public String answer() {
        try {
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = socket.getInputStream().read();
                if (next < 0) {
                    return "";
                }
                head.append((char) next);
            }
            return new String(socket.getInputStream().readNBytes(length(head.toString())), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int length(String head) {
        for (String line : head.toLowerCase(Locale.ROOT).split("\r\n")) {
            if (line.startsWith("content-length:")) {
                return Integer.parseInt(
                        line.substring("content-length:".length()).trim());
            }
        }
        throw new AssertionError("an answer without a length: " + head);
    }

    /** Says that nothing more will come, and goes on listening. */
    public void endOutput() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves as a program does that was killed while something was on its way to it. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves in good order. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
