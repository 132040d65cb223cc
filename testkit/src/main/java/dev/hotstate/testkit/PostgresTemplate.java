package dev.hotstate.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The data of a PostgreSQL that has not started yet, kept until the JVM ends: to copy them takes a fraction of what it
 * takes to make them.
 */
final class PostgresTemplate {
    private static @Nullable Path kept;

    private PostgresTemplate() {}

    /** Keeps a copy of the first that it is shown. */
    static synchronized void keep(Path data) throws IOException {
        if (kept == null) {
            Path folder = TempDir.create("hotstate-postgres-");
            Reaper.watch(folder);
            copy(data, folder.resolve("data"));
            kept = folder.resolve("data");
        }
    }

    /** Does nothing as long as none is kept. */
    static synchronized void copyTo(Path data) throws IOException {
        if (kept != null) {
            copy(kept, data);
        }
    }

    /** With their permissions: PostgreSQL starts on no folder that others may read. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
