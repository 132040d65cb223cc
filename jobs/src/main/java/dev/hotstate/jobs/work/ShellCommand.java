package dev.hotstate.jobs.work;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.jobs.Claimed;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command that runs, with all that it starts. It leads a session and a process group of its own, so that one signal
 * reaches its children too, also those whose parent is gone, which Java's {@link ProcessHandle#descendants} would not
 * find. What left the group is found by a mark in its environment, where the system shows that ({@code /proc}).
 *
 * <p>Closing ends all of it: TERM, {@link #TERM_PATIENCE} later KILL, again and again for as long as there is somebody, but
 * no longer than {@link #KILL_PATIENCE}: one that keeps starting others may have started one while all were looked for. A
 * process that has left both the group and its environment behind is out of reach, and so are all of them when this process
 * itself is killed.
 */
final class ShellCommand implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ShellCommand.class);

    /** In the environment of all that a command starts. */
    static final String MARK = "HOTSTATE_MARK";

    static final Duration TERM_PATIENCE = Duration.ofSeconds(2);
    static final Duration KILL_PATIENCE = Duration.ofSeconds(2);
    private static final int QUIET_LOOKS = 5;
    private static final Duration OUTPUT_PATIENCE = Duration.ofSeconds(1);
    private static final Path PROC = Path.of("/proc");

    private final Process leader;
    private final byte[] mark;
    private final Thread reader;

    private ShellCommand(Process leader, Claimed task, ShellOutput output) {
        this.leader = leader;
        this.mark = ("\0" + MARK + "=" + mark(task) + "\0").getBytes(UTF_8);
        // Threads of the system's: reading a pipe would hold one of the few that carry all virtual threads.
        this.reader = Thread.ofPlatform()
                .daemon()
                .name("shell-output-" + leader.pid())
                .start(() -> output.read(leader.getInputStream()));
        Thread.ofPlatform()
                .daemon()
                .name("shell-input-" + leader.pid())
                .start(() -> give(task.input() == null ? "" : task.input()));
    }

    static ShellCommand start(ProcessBuilder builder, Claimed task, ShellOutput output) throws IOException {
        return new ShellCommand(builder.start(), task, output);
    }

    /** Of one attempt alone: tasks that were claimed together have the same fence. */
    static String mark(Claimed task) {
        return task.jobId() + ":" + task.taskId() + ":" + task.fence();
    }

    /** The exit code, when it is there; the output may be going on. */
    int await() throws InterruptedException {
        return leader.waitFor();
    }

    /** Ends what still runs, and waits for the last of the output. An interrupt does not keep it from that. */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        if (isAlive()) {
            signal("TERM");
            long patience = System.nanoTime() + TERM_PATIENCE.toNanos();
            while (isAlive() && System.nanoTime() - patience < 0) {
                interrupted |= pause();
            }
            kill();
        }
        interrupted |= awaitOutput();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Without a pause, so that who forks has little time for it; one look may miss whoever makes way just then. */
    private void kill() {
        long patience = System.nanoTime() + KILL_PATIENCE.toNanos();
        int quiet = 0;
        while (quiet < QUIET_LOOKS) {
            if (System.nanoTime() - patience >= 0) {
                log.warn("something of the command of process {} may have outlived it", leader.pid());
                return;
            }
            quiet = isAlive() ? 0 : quiet + 1;
            if (quiet == 0) {
                signal("KILL");
            }
        }
    }

    private void give(String input) {
        try (OutputStream stdin = leader.getOutputStream()) {
            stdin.write(input.getBytes(UTF_8));
        } catch (IOException unread) {
            log.debug("the command did not read its input: {}", unread.getMessage());
        }
    }

    /** Of a system that does not show its processes the group is asked, also if nobody has reaped its dead. */
    private boolean isAlive() {
        return leader.isAlive() || (Files.isDirectory(PROC) ? !members().isEmpty() : kill("0"));
    }

    private void signal(String name) {
        kill(name);
        for (ProcessHandle member : members()) {
            boolean told = name.equals("KILL") ? member.destroyForcibly() : member.destroy();
            log.debug("process {}: {} {}", member.pid(), name, told ? "sent" : "refused");
        }
    }

    /** Sends to the whole group; false where there is none any more. Only a shell can, without native code. */
    private boolean kill(String name) {
        String group = String.format(Locale.ROOT, "kill -%s -%d 2>/dev/null", name, leader.pid());
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", group)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return kill.waitFor(2, TimeUnit.SECONDS) && kill.exitValue() == 0;
        } catch (IOException unable) {
            log.warn("the group of process {} cannot be told {}", leader.pid(), name, unable);
            return false;
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Processes of the group or with the mark, wherever they are; none where the system does not show them. */
    private List<ProcessHandle> members() {
        List<ProcessHandle> found = new ArrayList<>();
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            processes.forEach(all::add);
            // The youngest first: an old one does not make way for another while this looks.
            for (Path process : all.reversed()) {
                if (isMember(process)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                            .ifPresent(found::add);
                }
            }
        } catch (IOException | DirectoryIteratorException hidden) {
            log.debug("{} cannot be read: {}", PROC, hidden.getMessage());
        }
        return found;
    }

    private boolean isMember(Path process) {
        try {
            // After the name, which may hold anything: state, parent, group.
            String stat = Files.readString(process.resolve("stat"), ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            boolean dead = fields[0].equals("Z") || fields[0].equals("X");
            return !dead
                    && (fields[2].equals(Long.toString(leader.pid()))
                            || contains(Files.readAllBytes(process.resolve("environ")), mark));
        } catch (IOException goneOrNotOurs) {
            return false;
        }
    }

    private static boolean contains(byte[] text, byte[] part) {
        // Where the mark comes first, nothing stands before it.
        if (text.length >= part.length - 1 && Arrays.equals(text, 0, part.length - 1, part, 1, part.length)) {
            return true;
        }
        for (int at = 0; at <= text.length - part.length; at++) {
            if (Arrays.equals(text, at, at + part.length, part, 0, part.length)) {
                return true;
            }
        }
        return false;
    }

    private static boolean pause() {
        try {
            Thread.sleep(Duration.ofMillis(20));
            return false;
        } catch (InterruptedException hurried) {
            return true;
        }
    }

    /** Whoever escaped may hold the other end of the pipe for ever. */
    private boolean awaitOutput() {
        try {
            if (!reader.join(OUTPUT_PATIENCE)) {
                leader.getInputStream().close();
            }
            return false;
        } catch (InterruptedException hurried) {
            return true;
        } catch (IOException gone) {
            return false;
        }
    }
}
