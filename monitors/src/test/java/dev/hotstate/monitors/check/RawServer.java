package dev.hotstate.monitors.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A server on a free loopback port that does with each connection whatever a test says, bad manners included. */
final class RawServer implements AutoCloseable {
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ServerSocket door;

    private RawServer(ServerSocket door) {
        this.door = door;
    }

    interface Manners {
        void meet(Socket socket, RawServer server) throws IOException, InterruptedException;
    }

    static RawServer start(Manners manners) {
        try {
            return start(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), manners);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RawServer start(ServerSocket door, Manners manners) {
        var server = new RawServer(door);
        Thread.ofVirtual().start(() -> server.accept(manners));
        return server;
    }

    /** Writes one text after the request's head was read, and hangs up. */
    static RawServer answering(String text) {
        return answering(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static RawServer answering(byte[] bytes) {
        return start((socket, server) -> {
            readHead(socket.getInputStream());
            socket.getOutputStream().write(bytes);
        });
    }

    /** Writes the beginning, and then the same bytes again and again until the peer hangs up. */
    static RawServer flooding(String beginning, byte[] more) {
        return start((socket, server) -> {
            readHead(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            out.write(beginning.getBytes(StandardCharsets.ISO_8859_1));
            while (true) {
                out.write(more);
            }
        });
    }

    /** Writes the beginning, and then one byte every so often until the peer hangs up. */
    static RawServer dripping(String beginning, long everyMs) {
        return start((socket, server) -> {
            readHead(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            out.write(beginning.getBytes(StandardCharsets.ISO_8859_1));
            while (!server.closed.await(everyMs, TimeUnit.MILLISECONDS)) {
                out.write('x');
            }
        });
    }

    /** Speaks first, and then only listens. */
    static RawServer greeting(String text) {
        return start((socket, server) -> {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        });
    }

    /** Reads whatever comes, and says nothing. */
    static RawServer silent() {
        return start((socket, server) -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
    }

    int port() {
        return door.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + port() + "/";
    }

    /** How many connections are not closed by their peer or by us. */
    int openConnections() {
        return open.size();
    }

    /** Up to the empty line that ends a request's head. */
    static void readHead(InputStream in) throws IOException {
        int last = 0;
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n' && last == '\n') {
                return;
            }
            last = c == '\r' ? last : c;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            door.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(Manners manners) {
        while (!door.isClosed()) {
            try {
                Socket socket = door.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> meet(socket, manners));
            } catch (IOException e) {
                // The door was closed.
            }
        }
    }

    private void meet(Socket socket, Manners manners) {
        try (socket) {
            manners.meet(socket, this);
        } catch (IOException | InterruptedException e) {
            // The peer hung up, which is what most of these tests are about.
        } finally {
            open.remove(socket);
        }
    }
}
