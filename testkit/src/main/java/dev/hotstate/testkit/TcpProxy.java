package dev.hotstate.testkit;

import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A piece of network between a client and a server on loopback that a test may cut, stall, slow down and reset.
 *
 * <pre>{@code
 * try (var proxy = TcpProxy.to(redis.port())) {
 *     ...connect to proxy.port()...
 *     proxy.blackhole();
 * }
 * }</pre>
 */
public final class TcpProxy implements AutoCloseable {
    private final ReservedPort port = ReservedPort.reserve();
    private final int target;
    private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
    private final NetworkWeather weather = new NetworkWeather();
    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong toServer = new AtomicLong();
    private final AtomicLong toClient = new AtomicLong();
    private @Nullable Door door;

    private TcpProxy(int target) {
        this.target = target;
    }

    /** A proxy to a loopback port, passing everything on. */
    public static TcpProxy to(int port) {
        var proxy = new TcpProxy(port);
        proxy.listen();
        return proxy;
    }

    /** The loopback port to connect to instead of the server's. */
    public int port() {
        return port.number();
    }

    /** Ends all connections and refuses new ones. */
    public synchronized void cut() {
        if (door != null) {
            door.close();
            door = null;
        }
        open.forEach(ProxiedConnection::close);
    }

    /** Passes nothing on any more, in either direction, while connections stay open and new ones are accepted. */
    public void blackhole() {
        weather.stall();
    }

    /** Passes each byte on this much later, in each direction. */
    public void delay(Duration by) {
        weather.delay(by);
    }

    /** Breaks all connections with a TCP reset. New ones are accepted. */
    public void reset() {
        open.forEach(ProxiedConnection::reset);
    }

    /** Fair weather again: listens, and passes everything on at once, first of all what a black hole has held back. */
    public synchronized void restore() {
        weather.clear();
        if (door == null) {
            listen();
        }
    }

    /** How many connections have been accepted. */
    public long connections() {
        return connections.get();
    }

    /** How many connections are open. */
    public int openConnections() {
        return open.size();
    }

    /** How many bytes have been passed on from clients. */
    public long bytesToServer() {
        return toServer.get();
    }

    /** How many bytes have been passed on to clients. */
    public long bytesToClient() {
        return toClient.get();
    }

    @Override
    public void close() {
        cut();
        port.close();
    }

    private synchronized void listen() {
        door = Door.open(port(), this::admit);
    }

    private void admit(Socket client) {
        connections.incrementAndGet();
        var connection = new ProxiedConnection(client, weather, toServer, toClient, open::remove);
        open.add(connection);
        Thread.ofVirtual().start(() -> connection.connectTo(target));
    }
}
