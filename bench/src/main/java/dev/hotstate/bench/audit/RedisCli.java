package dev.hotstate.bench.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** The tool that comes with Redis. */
public final class RedisCli {
    private RedisCli() {}

    public static boolean isThere() {
        try {
            return new ProcessBuilder("redis-cli", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException unwanted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** How long it takes to read the whole keyspace, in seconds. */
    public static double seconds(int port, String option) {
        long began = System.nanoTime();
        Process process = start(port, option);
        try {
            if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException("redis-cli " + option + " did not end well");
            }
            return (System.nanoTime() - began) / 1e9;
        } catch (InterruptedException unwanted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(unwanted);
        } finally {
            process.destroyForcibly();
        }
    }

    public static Process start(int port, String option) {
        try {
            return new ProcessBuilder("redis-cli", "-p", Integer.toString(port), option)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
