package dev.hotstate.audit.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** TLS over a connection, believing the server's certificate as far as the address says. */
final class TlsSocket {
    private TlsSocket() {}

    static Socket over(Socket plain, Endpoint endpoint) throws IOException {
        Endpoint.Tls tls = Objects.requireNonNull(endpoint.tls());
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust(tls), null);
            SSLSocket socket =
                    (SSLSocket) context.getSocketFactory().createSocket(plain, endpoint.host(), endpoint.port(), true);
            SSLParameters parameters = socket.getSSLParameters();
            if (tls.verify() == Endpoint.Verify.FULL) {
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
            }
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket;
        } catch (GeneralSecurityException unusable) {
            throw new IOException("TLS cannot be set up: " + unusable.getMessage(), unusable);
        }
    }

    private static TrustManager @Nullable [] trust(Endpoint.Tls tls) throws GeneralSecurityException, IOException {
        if (tls.verify() == Endpoint.Verify.NONE) {
            return new TrustManager[] {new AnyCertificate()};
        }
        Path ca = tls.ca();
        if (ca == null) {
            return null;
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(ca)) {
            int number = 0;
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("ca" + number++, one);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /** For {@code ?verify=none}, which somebody wrote into the address. */
    private static final class AnyCertificate extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
