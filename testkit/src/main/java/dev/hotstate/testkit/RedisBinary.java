package dev.hotstate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import redis.embedded.RedisExecProvider;

/**
 * The redis-server program that tests run on: the one that {@value #VARIABLE} names, of any Redis from 7.0 or Valkey
 * from 7.2 on, or else the one in the jar, taken out once per JVM and deleted at its end.
 */
final class RedisBinary {
    static final String VARIABLE = "HOTSTATE_TESTKIT_REDIS";

    private RedisBinary() {}

    static Path path() {
        return Found.PATH;
    }

    static Path named(@Nullable String program) {
        if (program == null || program.isBlank()) {
            return extracted();
        }
        Path path = Path.of(program);
        if (!Files.isExecutable(path) || Files.isDirectory(path)) {
            throw new IllegalStateException(VARIABLE + " is " + program + ", which is no program");
        }
        return path;
    }

    private static Path extracted() {
        try {
            Path binary = RedisExecProvider.defaultProvider().get().toPath();
            Reaper.watch(binary.resolveSibling(""));
            return binary;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot unpack redis-server", e);
        }
    }

    private static final class Found {
        static final Path PATH = named(System.getenv(VARIABLE));
    }
}
