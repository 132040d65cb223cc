package dev.hotstate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/** A listening loopback port. Once it is closed nobody is let in any more. */
final class Door implements AutoCloseable {
    private final ServerSocket socket;
    private final Thread porter;

    private Door(ServerSocket socket, Consumer<Socket> guest) {
        this.socket = socket;
        this.porter = Thread.ofVirtual().start(() -> accept(guest));
    }

    static Door open(int port, Consumer<Socket> guest) {
        try {
            return new Door(new ServerSocket(port, 0, InetAddress.getLoopbackAddress()), guest);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot listen on port " + port, e);
        }
    }

    /** A socket stays open until the thread that waits at it has left, so we wait for that. */
    @Override
    public void close() {
        try {
            socket.close();
            porter.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while closing port " + socket.getLocalPort(), e);
        }
    }

    private void accept(Consumer<Socket> guest) {
        while (!socket.isClosed()) {
            try {
                guest.accept(socket.accept());
            } catch (IOException e) {
                // a closed door ends the loop; a client that has left already is not ours to serve
            }
        }
    }
}
