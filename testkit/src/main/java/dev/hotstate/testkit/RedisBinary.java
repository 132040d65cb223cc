package dev.hotstate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import redis.embedded.RedisExecProvider;

/** The redis-server program for this machine, taken out of its jar once per JVM and deleted at its end. */
final class RedisBinary {
    private RedisBinary() {}

    static Path path() {
        return Extracted.PATH;
    }

    private static final class Extracted {
        static final Path PATH = extract();

        private static Path extract() {
            try {
                Path binary = RedisExecProvider.defaultProvider().get().toPath();
                Reaper.watch(binary.resolveSibling(""));
                return binary;
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot unpack redis-server", e);
            }
        }
    }
}
