package dev.hotstate.server.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** {@code hotstate up} in a JVM of its own, to be ended by signals. */
final class ChildUp {
    private final Process process;
    private final BufferedReader output;

    ChildUp(Path data) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        process = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.hotstate.server.cli.Main",
                        "up",
                        "--port",
                        "0",
                        "--data",
                        data.toString())
                .redirectErrorStream(true)
                .start();
        output = process.inputReader();
    }

    /** Reads up to the line that tells where it is. */
    void awaitReady() throws IOException {
        var seen = new StringBuilder();
        String line;
        while ((line = output.readLine()) != null) {
            seen.append(line).append('\n');
            if (line.startsWith("hotstate is up")) {
                return;
            }
        }
        throw new AssertionError("it ended instead of being ready: " + seen);
    }

    long pid() {
        return process.pid();
    }

    /** Sends TERM and answers the exit code. */
    int terminate() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("it still runs a minute after the signal");
        }
        return process.exitValue();
    }

    /** Sends KILL and waits. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
