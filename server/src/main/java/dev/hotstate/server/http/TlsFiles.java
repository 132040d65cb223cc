package dev.hotstate.server.http;

import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads a certificate and its key from PEM files. */
final class TlsFiles {
    private TlsFiles() {}

    static Tls read(Path certificate, Path key) {
        refuseUnreadable("certificate", certificate);
        refuseUnreadable("key", key);
        try {
            var keys = Keys.builder()
                    .pem(pem -> pem.certChain(Resource.create(certificate)).key(Resource.create(key)))
                    .build();
            return Tls.builder()
                    .privateKey(keys)
                    .privateKeyCertChain(keys)
                    .enabledProtocols(List.of("TLSv1.3", "TLSv1.2"))
                    .build();
        } catch (RuntimeException e) {
            throw new CannotStartException(
                    "the TLS certificate %s and key %s cannot be used: they must be a PEM certificate chain and its PKCS #8 key, not encrypted"
                            .formatted(certificate, key),
                    e);
        }
    }

    private static void refuseUnreadable(String what, Path file) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new CannotStartException(
                    "the TLS " + what + " " + file + " cannot be read: check its path and rights");
        }
    }
}
