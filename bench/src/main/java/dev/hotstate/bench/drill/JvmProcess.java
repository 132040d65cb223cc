package dev.hotstate.bench.drill;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program in a JVM of its own. It ends with us, unless we are killed ourselves. */
public final class JvmProcess implements Killable {
    private final Process process;
    private final Thread ending;
    private final String said;

    private JvmProcess(Process process, String said) {
        this.process = process;
        this.said = said;
        this.ending = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(ending);
    }

    /**
     * @param words the main class and its arguments
     * @param ready how the line begins that it prints when it is ready
     * @param niceness how far it gives way to other processes, from 0 to 19
     */
    public record Program(List<String> jvmOptions, String classPath, List<String> words, String ready, int niceness) {
        public Program(List<String> jvmOptions, String classPath, List<String> words, String ready) {
            this(jvmOptions, classPath, words, ready, 0);
        }
    }

    /**
     * Returns once it says that it is ready.
     *
     * @param environment variables; none of our own that begin with {@code HOTSTATE_} is handed on
     * @param folder where it works
     * @param log where its errors are added
     */
    public static JvmProcess start(Program program, Map<String, String> environment, Path folder, Path log) {
        List<String> command = new ArrayList<>();
        if (program.niceness() > 0) {
            command.addAll(List.of("nice", "-n", Integer.toString(program.niceness())));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(program.jvmOptions());
        command.addAll(List.of("-cp", program.classPath()));
        command.addAll(program.words());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("HOTSTATE_"));
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            try {
                return new JvmProcess(process, awaitReady(program, process.inputReader(), log));
            } catch (IOException | RuntimeException failed) {
                process.destroyForcibly();
                throw failed;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot start " + program.words() + ": " + failed.getMessage(), failed);
        }
    }

    /** Everything that we see ourselves. */
    public static String classPath() {
        return entries().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Without the benchmarks themselves, whose settings for logging would be found before the server's. */
    static String classPathWithoutUs() {
        Path ours = Path.of(URI.create(JvmProcess.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
        return entries()
                .filter(entry -> !entry.equals(ours))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Absolute, since others work in another folder. */
    private static Stream<Path> entries() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath());
    }

    /** What followed the beginning of the line by which it was known to be ready. */
    public String said() {
        return said;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        forget();
    }

    /** SIGSTOP: it stands still, and does not know it. */
    public void freeze() {
        signal("STOP");
    }

    /** SIGCONT. */
    public void thaw() {
        signal("CONT");
    }

    /** The shell's own kill, since a small image may have no /bin/kill. To one that is gone it does nothing. */
    private void signal(String name) {
        if (!process.isAlive()) {
            return;
        }
        try {
            new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGTERM, and SIGKILL if it is still there much later. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException hurried) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        forget();
    }

    private void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(ending);
        } catch (IllegalStateException alreadyEnding) {
            // The hook has ended it.
        }
    }

    /** What it prints after that is a few lines, which the pipe holds. */
    private static String awaitReady(Program program, BufferedReader output, Path log) throws IOException {
        String line;
        while ((line = output.readLine()) != null) {
            if (line.startsWith(program.ready())) {
                return line.substring(program.ready().length()).strip();
            }
        }
        List<String> lines = Files.readAllLines(log);
        throw new IllegalStateException("the process ended instead of being ready: "
                + String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size())));
    }
}
