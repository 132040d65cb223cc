package dev.hotstate.monitors.check;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** What is trusted, made once for each set of options: a context costs some milliseconds, and thousands of checks share it. */
final class TrustedContexts {
    /** Definitions come and go; whoever changes this many of them makes all contexts anew. */
    private static final int MOST_KEPT = 500;

    private final ConcurrentMap<Key, SSLContext> kept = new ConcurrentHashMap<>();
    private final InstantSource clock;

    TrustedContexts(InstantSource clock) {
        this.clock = clock;
    }

    SSLContext of(boolean verify, @Nullable String ca) {
        if (kept.size() > MOST_KEPT) {
            kept.clear();
        }
        return kept.computeIfAbsent(new Key(verify, verify ? ca : null), this::make);
    }

    private SSLContext make(Key key) {
        try {
            var context = SSLContext.getInstance("TLS");
            TrustManager trust = key.verify ? new CertificateJudge(jdk(key.ca), clock) : new TrustsAll();
            context.init(null, new TrustManager[] {trust}, null);
            // In seconds; 0 is forever. SecureSocket drops each session, this those whose tickets came late.
            context.getClientSessionContext().setSessionTimeout(1);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JVM cannot make a TLS context", e);
        }
    }

    private static X509ExtendedTrustManager jdk(@Nullable String ca) throws GeneralSecurityException, IOException {
        X509ExtendedTrustManager system = trusting(null);
        return ca == null
                ? system
                : trusting(
                        store(Stream.concat(Arrays.stream(system.getAcceptedIssuers()), Certificates.parse(ca).stream())
                                .toList()));
    }

    /** @param store null for the system's */
    private static X509ExtendedTrustManager trusting(@Nullable KeyStore store) throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    }

    private static KeyStore store(List<X509Certificate> certificates) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < certificates.size(); i++) {
            store.setCertificateEntry("trusted-" + i, certificates.get(i));
        }
        return store;
    }

    private record Key(boolean verify, @Nullable String ca) {}

    /** For monitors that say so: what their target shows is noted, not judged. */
    private static final class TrustsAll extends X509ExtendedTrustManager {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
