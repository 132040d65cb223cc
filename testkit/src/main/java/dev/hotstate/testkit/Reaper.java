package dev.hotstate.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ends servers and deletes their folders when the JVM ends without having closed them, even if it was killed, which no
 * shutdown hook would survive. It is a small shell process whose input comes from us; see reaper.sh.
 */
final class Reaper {
    private static @Nullable OutputStream orders;

    private Reaper() {}

    /** A process that runs in a folder. */
    static void watch(long pid, Path folder) {
        order("watch " + pid + " " + folder);
    }

    /** A folder in which nothing runs now. */
    static void watch(Path folder) {
        order("watch - " + folder);
    }

    static void forget(Path folder) {
        order("forget - " + folder);
    }

    private static synchronized void order(String line) {
        try {
            if (orders == null) {
                orders = start();
            }
            orders.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("The process that cleans up after this JVM is gone", e);
        }
    }

    /** Its output goes nowhere: a build that waits for the end of our output must not wait for it. */
    private static OutputStream start() throws IOException {
        try (InputStream script = Objects.requireNonNull(Reaper.class.getResourceAsStream("reaper.sh"))) {
            return new ProcessBuilder("sh", "-c", new String(script.readAllBytes(), StandardCharsets.UTF_8))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .getOutputStream();
        }
    }
}
