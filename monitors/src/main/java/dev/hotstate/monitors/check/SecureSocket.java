package dev.hotstate.monitors.check;

import java.io.IOException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/** A connection after its handshake. */
final class SecureSocket {
    private final SSLSocket socket;

    SecureSocket(SSLSocket socket) {
        this.socket = socket;
    }

    SSLSocket socket() {
        return socket;
    }

    /** The target's own, without those of its issuers. */
    X509Certificate certificate() throws SSLPeerUnverifiedException {
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    /**
     * Says goodbye without waiting for an answer, as closing would. The session is not kept: a later handshake that resumes
     * it would be shown no certificate, and nobody would see that it has changed or expired.
     */
    void end() {
        socket.getSession().invalidate();
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            // The target has gone first.
        }
    }
}
