package dev.hotstate.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** One client of a {@link TcpProxy} and its connection to the server: a line in each direction. */
final class ProxiedConnection {
    private final Socket client;
    private final Socket server = new Socket();
    private final Consumer<ProxiedConnection> whenClosed;
    private final AtomicInteger linesOpen = new AtomicInteger(2);
    private final List<ProxiedLine> lines;

    ProxiedConnection(
            Socket client,
            NetworkWeather weather,
            AtomicLong toServer,
            AtomicLong toClient,
            Consumer<ProxiedConnection> whenClosed) {
        this.client = client;
        this.whenClosed = whenClosed;
        this.lines = List.of(
                new ProxiedLine(client, server, weather, toServer), new ProxiedLine(server, client, weather, toClient));
    }

    void connectTo(int port) {
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            lines.forEach(line -> line.carry(this::lineEnded, this::close));
        } catch (IOException e) {
            close();
        }
    }

    /** An orderly end, on both sides. */
    void close() {
        close(client);
        close(server);
        lines.forEach(ProxiedLine::drop);
        whenClosed.accept(this);
    }

    /** With a linger time of zero, closing sends a reset. */
    void reset() {
        try {
            client.setSoLinger(true, 0);
            server.setSoLinger(true, 0);
        } catch (IOException e) {
            // closed already
        }
        close();
    }

    /** One side may have said all it had to say and still listen. */
    private void lineEnded() {
        if (linesOpen.decrementAndGet() == 0) {
            close();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing more can be done for it
        }
    }
}
