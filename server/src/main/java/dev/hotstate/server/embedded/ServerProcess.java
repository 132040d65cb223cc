package dev.hotstate.server.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A server process that a pid file names. A pid may have gone to a stranger since it was written, so a process counts
 * as ours only if its program lies in our own folder; no other is ever signalled.
 */
record ServerProcess(ProcessHandle process) {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** The live process that the file names, whoever it belongs to. */
    static Optional<ProcessHandle> named(Path pidFile) {
        return DataFolder.number(pidFile).flatMap(ProcessHandle::of).filter(ProcessHandle::isAlive);
    }

    /** The live process that the file names, if its program lies in the folder. */
    static Optional<ServerProcess> ours(Path pidFile, Path folder) {
        return named(pidFile)
                .filter(process -> process.info()
                        .command()
                        .filter(program -> Path.of(program).startsWith(folder))
                        .isPresent())
                .map(ServerProcess::new);
    }

    /** Asks with a signal and waits; ends the process by force if it has not gone after 15 s. */
    void end(String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (!isGone(PATIENCE)) {
                process.destroyForcibly();
                isGone(PATIENCE);
            }
        } catch (IOException noKill) {
            process.destroy();
        } catch (InterruptedException hurry) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Looks every 10 ms: the JDK itself looks less and less often after a process that is not its child. */
    private boolean isGone(Duration patience) {
        long giveUp = System.nanoTime() + patience.toNanos();
        while (process.isAlive() && System.nanoTime() < giveUp) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
        return !process.isAlive();
    }
}
