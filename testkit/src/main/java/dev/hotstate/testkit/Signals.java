package dev.hotstate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The signals Java cannot send itself. One to a process that has ended meanwhile does nothing. */
final class Signals {
    private static final char UNKNOWN = '?';
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Signals() {}

    /** SIGSTOP; returns once the process has really stopped, where the system can tell (Linux). */
    static void freeze(ProcessHandle process) {
        send("STOP", process);
        if (state(process) != UNKNOWN) {
            Eventually.within(
                    PATIENCE,
                    "process " + process.pid() + " is stopped",
                    () -> isGone(process) || state(process) == 'T');
        }
    }

    /** SIGCONT. */
    static void thaw(ProcessHandle process) {
        send("CONT", process);
    }

    /** Whether a process has ended, also if nobody has asked for its exit status yet. */
    static boolean isGone(ProcessHandle process) {
        return !process.isAlive() || state(process) == 'Z';
    }

    /** The shell's own kill, since a small image may have no /bin/kill. */
    private static void send(String signal, ProcessHandle process) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes());
            if (kill.waitFor() != 0 && !isGone(process)) {
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
    private static char state(ProcessHandle process) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}
