package dev.hotstate.monitors.check;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/** A certificate that does not hold, and in which of the three ways. */
final class CertificateRefusedException extends CertificateException {
    private static final long serialVersionUID = 1L;

    private final Failure failure;
    private final transient X509Certificate certificate;
    private final String reason;

    CertificateRefusedException(Failure failure, X509Certificate certificate, String reason) {
        super(reason);
        this.failure = failure;
        this.certificate = certificate;
        this.reason = reason;
    }

    /** The one that a handshake broke off for, if it did. */
    static @Nullable CertificateRefusedException in(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateRefusedException refused) {
                return refused;
            }
        }
        return null;
    }

    Failure failure() {
        return failure;
    }

    X509Certificate certificate() {
        return certificate;
    }

    String reason(String host) {
        return failure == Failure.CERTIFICATE_NAME ? "the certificate is not for " + host + ", but " + reason : reason;
    }
}
