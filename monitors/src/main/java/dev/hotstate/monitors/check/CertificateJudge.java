package dev.hotstate.monitors.check;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** The JDK's judgement of a certificate, told apart: a date, an issuer and a host name are three things to repair. */
final class CertificateJudge extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager jdk;
    private final InstantSource clock;

    CertificateJudge(X509ExtendedTrustManager jdk, InstantSource clock) {
        this.jdk = jdk;
        this.clock = clock;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        judgeDate(chain[0]);
        judgeChain(chain, authType);
        try {
            jdk.checkServerTrusted(chain, authType, socket);
        } catch (CertificateException e) {
            // The chain was found good without the name.
            throw new CertificateRefusedException(
                    Failure.CERTIFICATE_NAME, chain[0], "for " + Certificates.names(chain[0]));
        }
    }

    private void judgeDate(X509Certificate certificate) throws CertificateRefusedException {
        Instant now = clock.instant();
        Instant until = certificate.getNotAfter().toInstant();
        Instant from = certificate.getNotBefore().toInstant();
        if (now.isAfter(until)) {
            throw date(certificate, "the certificate expired on " + day(until));
        }
        if (now.isBefore(from)) {
            throw date(certificate, "the certificate is not valid before " + day(from));
        }
    }

    private void judgeChain(X509Certificate[] chain, String authType) throws CertificateRefusedException {
        try {
            jdk.checkServerTrusted(chain, authType);
        } catch (CertificateException e) {
            if (isOfDate(e)) {
                throw date(chain[0], "a certificate among the issuers has expired, or is not valid yet");
            }
            throw new CertificateRefusedException(
                    Failure.CERTIFICATE_CHAIN,
                    chain[0],
                    "the certificate is not trusted: " + issuer(chain) + " is not known here");
        }
    }

    private static boolean isOfDate(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
                return true;
            }
        }
        return false;
    }

    private static String issuer(X509Certificate[] chain) {
        X509Certificate last = chain[chain.length - 1];
        boolean selfSigned = chain.length == 1 && last.getSubjectX500Principal().equals(last.getIssuerX500Principal());
        return selfSigned
                ? "it is self-signed, and " + Certificates.subject(last)
                : "its issuer " + Quoted.excerpt(last.getIssuerX500Principal().getName());
    }

    private static CertificateRefusedException date(X509Certificate certificate, String reason) {
        return new CertificateRefusedException(Failure.CERTIFICATE_DATE, certificate, reason);
    }

    private static LocalDate day(Instant instant) {
        return LocalDate.ofInstant(instant, ZoneOffset.UTC);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        judgeDate(chain[0]);
        judgeChain(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        jdk.checkServerTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        jdk.checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        jdk.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        jdk.checkClientTrusted(chain, authType, engine);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return jdk.getAcceptedIssuers();
    }
}
