package dev.hotstate.monitors.check;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * The driver's sockets, each guarded by the deadline of the check that opens it. The driver makes this object from its name,
 * so a check leaves what belongs to it with its thread, on which the driver connects.
 */
public final class PostgresSockets extends SocketFactory {
    private static final ThreadLocal<@Nullable Binding> BOUND = new ThreadLocal<>();

    interface Wrapping {
        SSLSocket wrap(Socket socket) throws IOException;
    }

    record Binding(Deadline deadline, Wrapping tls) {}

    static void bind(Binding binding) {
        BOUND.set(binding);
    }

    static void unbind() {
        BOUND.remove();
    }

    static Binding bound() {
        Binding binding = BOUND.get();
        if (binding == null) {
            throw new IllegalStateException("a check connects on its own thread");
        }
        return binding;
    }

    @Override
    public Socket createSocket() {
        return bound().deadline().guard(new Socket());
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException("the driver connects by itself");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress address, int port) {
        return createSocket(address.getHostAddress(), port);
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress local, int localPort) {
        return createSocket(address, port);
    }
}
