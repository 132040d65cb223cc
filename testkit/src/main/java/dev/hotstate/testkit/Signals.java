package dev.hotstate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The signals Java cannot send itself. */
final class Signals {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Signals() {}

    /** SIGSTOP; returns once the process has really stopped, where the system can tell (Linux). */
    static void freeze(ProcessHandle process) {
        send("STOP", process);
        Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
        if (Files.exists(stat)) {
            Poll.until("process " + process.pid() + " is stopped", PATIENCE, () -> state(stat) == 'T');
        }
    }

    /** SIGCONT. */
    static void thaw(ProcessHandle process) {
        send("CONT", process);
    }

    /** The shell's own kill, since a small image may have no /bin/kill. */
    private static void send(String signal, ProcessHandle process) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes());
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("Cannot send SIG" + signal + ": " + output.strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while sending SIG" + signal, e);
        }
    }

    /** The state letter follows the command's name, which is in parentheses and may hold anything. */
    private static char state(Path stat) {
        try {
            String line = Files.readString(stat);
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new UncheckedIOException("Process ended while it was being stopped", e);
        }
    }
}
