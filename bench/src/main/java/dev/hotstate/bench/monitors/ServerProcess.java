package dev.hotstate.bench.monitors;

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

/** {@code hotstate up} in a JVM of its own, from our class path. It ends with us, unless we are killed ourselves. */
final class ServerProcess implements AutoCloseable {
    private static final String READY = "hotstate is up at ";

    private final Process process;
    private final Thread ending;
    private final String url;

    private ServerProcess(Process process, String url) {
        this.process = process;
        this.url = url;
        this.ending = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(ending);
    }

    /**
     * Returns once it answers.
     *
     * @param environment settings by their variables, such as {@code HOTSTATE_PORT}
     * @param folder where it works, with its log
     */
    static ServerProcess start(List<String> jvmOptions, Map<String, String> environment, Path folder) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath(), "dev.hotstate.server.cli.Main", "up", "--port", "0"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(log(folder).toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("HOTSTATE_"));
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            try {
                return new ServerProcess(process, awaitUrl(process.inputReader(), log(folder)));
            } catch (IOException | RuntimeException failed) {
                process.destroyForcibly();
                throw failed;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot start a server: " + failed.getMessage(), failed);
        }
    }

    /** What it says while it runs, after all that earlier ones said there. */
    static Path log(Path folder) {
        return folder.resolve("server.log");
    }

    String url() {
        return url;
    }

    long pid() {
        return process.pid();
    }

    /** SIGKILL: it is gone when this returns. */
    void kill() {
        process.destroyForcibly();
        await();
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

    private void await() {
        try {
            process.waitFor();
        } catch (InterruptedException hurried) {
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
    private static String awaitUrl(BufferedReader output, Path log) throws IOException {
        String line;
        while ((line = output.readLine()) != null) {
            if (line.startsWith(READY)) {
                return line.substring(READY.length()).strip();
            }
        }
        List<String> said = Files.readAllLines(log);
        throw new IllegalStateException("the server ended instead of being ready: "
                + String.join(" | ", said.subList(Math.max(0, said.size() - 5), said.size())));
    }

    /** Without the benchmarks themselves, whose settings for logging would be found before the server's. */
    private static String classPath() {
        Path ours = Path.of(URI.create(ServerProcess.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath())
                .filter(entry -> !entry.equals(ours))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }
}
