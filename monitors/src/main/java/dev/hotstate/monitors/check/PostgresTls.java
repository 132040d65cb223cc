package dev.hotstate.monitors.check;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocketFactory;

/** Makes the driver's sockets secure as those of all checks are. The driver makes this object from its name. */
public final class PostgresTls extends SSLSocketFactory {
    /** The driver names the address that it was given; the check knows the name that the certificate must be for. */
    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        return PostgresSockets.bound().tls().wrap(socket);
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return new String[0];
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return new String[0];
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException("TLS is always over a connection that is there");
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
