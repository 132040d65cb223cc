package dev.hotstate.monitors.alert;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Connections to mail servers: to addresses that were judged, and encrypted from the start where that is asked for. */
final class MailSockets {
    private final Judge judge;
    private final AlertOptions.Network network;
    private final int timeoutMs;

    MailSockets(AlertOptions.Network network, Duration timeout) {
        this.judge = new Judge(network.allowed());
        this.network = network;
        this.timeoutMs = Math.toIntExact(timeout.toMillis());
    }

    Socket connect(Email settings) throws IOException {
        IOException last = new ConnectException("no address");
        for (InetAddress address : judge.resolve(settings.host())) {
            Socket socket = new Socket();
            try {
                socket.setSoTimeout(timeoutMs);
                socket.connect(new InetSocketAddress(address, settings.port()), timeoutMs);
                return settings.tls() == Email.Tls.IMPLICIT ? encrypted(socket, settings) : socket;
            } catch (IOException failed) {
                socket.close();
                last = failed;
            }
        }
        throw last;
    }

    private Socket encrypted(Socket socket, Email settings) throws IOException {
        SSLSocket encrypted = (SSLSocket)
                network.tls().getSocketFactory().createSocket(socket, settings.host(), settings.port(), true);
        SSLParameters parameters = encrypted.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate must name the host
        encrypted.setSSLParameters(parameters);
        encrypted.startHandshake();
        return encrypted;
    }
}
