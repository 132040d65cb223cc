package dev.hotstate.monitors.check;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Certificates as PEM, and as people call them. */
final class Certificates {
    private Certificates() {}

    static boolean isPem(String pem) {
        try {
            return !parse(pem).isEmpty();
        } catch (CertificateException e) {
            return false;
        }
    }

    static List<X509Certificate> parse(String pem) throws CertificateException {
        var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
        return CertificateFactory.getInstance("X.509").generateCertificates(bytes).stream()
                .map(X509Certificate.class::cast)
                .toList();
    }

    /** Whole days; negative once it has expired. */
    static int daysLeft(X509Certificate certificate, Instant now) {
        Duration left = Duration.between(now, certificate.getNotAfter().toInstant());
        return (int) Math.floorDiv(left.toSeconds(), Duration.ofDays(1).toSeconds());
    }

    static String subject(X509Certificate certificate) {
        return Quoted.excerpt(certificate.getSubjectX500Principal().getName());
    }

    /** The names and addresses that it is for. */
    static String names(X509Certificate certificate) {
        try {
            var names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? subject(certificate)
                    : Quoted.excerpt(names.stream()
                            .map(name -> String.valueOf(name.get(1)))
                            .collect(Collectors.joining(", ")));
        } catch (CertificateException e) {
            return subject(certificate);
        }
    }
}
