package dev.hotstate.monitors.check;

import dev.hotstate.monitors.check.CheckSpec.Tls;
import dev.hotstate.monitors.check.Evidence.Phase;
import java.io.IOException;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Makes connections secure, and notes what certificate was shown. */
final class Handshakes {
    private final InstantSource clock;
    private final TrustedContexts contexts;

    Handshakes(InstantSource clock) {
        this.clock = clock;
        this.contexts = new TrustedContexts(clock);
    }

    SecureSocket shake(Socket socket, Target target, Tls tls, Deadline deadline, Evidence evidence)
            throws CheckFailedException {
        long start = System.nanoTime();
        try {
            SSLSocket secure = wrap(socket, target, tls, tls.verify());
            secure.startHandshake();
            var shaken = new SecureSocket(secure);
            note(shaken.certificate(), evidence);
            return shaken;
        } catch (IOException e) {
            throw failed(e, target, tls, deadline, evidence);
        } finally {
            evidence.spent(Phase.TLS, start);
        }
    }

    /** Before its handshake. */
    SSLSocket wrap(Socket socket, Target target, Tls tls, boolean hostName) throws IOException {
        SSLContext context = contexts.of(tls.verify(), tls.ca());
        SSLSocket secure =
                (SSLSocket) context.getSocketFactory().createSocket(socket, name(target, tls), target.port(), false);
        if (hostName) {
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
        }
        return secure;
    }

    CheckFailedException failed(IOException e, Target target, Tls tls, Deadline deadline, Evidence evidence) {
        CertificateRefusedException refused = CertificateRefusedException.in(e);
        if (refused != null) {
            note(refused.certificate(), evidence);
            return new CheckFailedException(refused.failure(), refused.reason(name(target, tls)));
        }
        String doing = "making the TLS handshake with " + target.authority();
        if (e instanceof SSLException && !deadline.hasPassed() && !isHangUp(e)) {
            return new CheckFailedException(
                    Failure.HANDSHAKE, Quoted.excerpt(String.valueOf(e.getMessage()), 200) + " while " + doing);
        }
        return CheckFailedException.of(e, deadline, doing);
    }

    private static String name(Target target, Tls tls) {
        return tls.serverName() == null ? target.host() : tls.serverName();
    }

    private void note(X509Certificate certificate, Evidence evidence) {
        evidence.certificateDaysLeft = Certificates.daysLeft(certificate, clock.instant());
    }

    private static boolean isHangUp(IOException e) {
        return e.getCause() instanceof IOException
                || String.valueOf(e.getMessage()).contains("terminated the handshake");
    }
}
