package dev.hotstate.server.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/** A password made once and kept in a file that its owner alone can read. */
final class Password {
    private static final int BYTES = 24;

    private Password() {}

    static String of(Path file) throws IOException {
        if (!Files.exists(file)) {
            var random = new byte[BYTES];
            new SecureRandom().nextBytes(random);
            var fresh = Files.createTempFile(file.getParent(), "password", "", DataFolder.ownerOnly(file, "rw-------"));
            Files.writeString(fresh, HexFormat.of().formatHex(random));
            Files.move(fresh, file);
        }
        return Files.readString(file).strip();
    }
}
