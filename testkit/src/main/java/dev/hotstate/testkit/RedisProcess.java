package dev.hotstate.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One redis-server process on a port and a folder that outlive it. */
final class RedisProcess {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int PROBE_MILLIS = 1_000;
    private static final String CONFIG = "redis.conf";
    private static final String LOG = "redis.log";

    private final Path folder = TempDir.create("hotstate-redis-");
    private final int port;
    private final List<String> config;
    private @Nullable Process process;
    private volatile boolean paused;

    RedisProcess(int port, List<String> config) {
        this.port = port;
        this.config = List.copyOf(config);
    }

    /**
     * Starts the server and returns once it answers.
     *
     * @return false if the port was taken
     */
    boolean start() {
        if (isAlive()) {
            throw new IllegalStateException("Redis on port " + port + " is running already");
        }
        Process started = launch();
        process = started;
        Reaper.watch(started.pid(), folder);
        paused = false;
        Eventually.within(PATIENCE, "Redis answers on port " + port, () -> !started.isAlive() || answers());
        if (started.isAlive()) {
            return true;
        }
        String log = log();
        if (log.contains("Address already in use")) {
            return false;
        }
        throw new IllegalStateException("redis-server ended with " + started.exitValue() + ":\n" + log);
    }

    void kill() {
        if (process != null) {
            process.destroyForcibly();
            awaitEnd(process);
            Reaper.watch(folder);
        }
    }

    /** SIGTERM, on which Redis writes its last RDB if it has save points. */
    void stop() {
        if (process != null) {
            resume();
            process.destroy();
            awaitEnd(process);
            Reaper.watch(folder);
        }
    }

    void pause() {
        Signals.freeze(running().toHandle());
        paused = true;
    }

    void resume() {
        if (paused && isAlive()) {
            Signals.thaw(running().toHandle());
        }
        paused = false;
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    boolean isPaused() {
        return paused && isAlive();
    }

    long pid() {
        return running().pid();
    }

    Path folder() {
        return folder;
    }

    int port() {
        return port;
    }

    /** Deletes data and logs. A cluster node stays who it is. */
    void eraseData() {
        TempDir.empty(folder, List.of("nodes.conf"));
    }

    void deleteFolder() {
        TempDir.delete(folder);
        Reaper.forget(folder);
    }

    private Process launch() {
        try {
            List<String> lines = new ArrayList<>(List.of(
                    "bind 127.0.0.1",
                    "port " + port,
                    "dir " + folder,
                    "save \"\"",
                    "enable-debug-command yes",
                    "enable-protected-configs yes"));
            lines.addAll(config);
            Files.write(folder.resolve(CONFIG), lines);
            TempDir.delete(folder.resolve(LOG));
            return new ProcessBuilder(RedisBinary.path().toString(), CONFIG)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve(LOG).toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Any reply counts, as with a password PING is refused, except that data is still being loaded. */
    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_MILLIS);
            socket.setSoTimeout(PROBE_MILLIS);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            String reply = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            return reply != null && !reply.startsWith("-LOADING");
        } catch (IOException e) {
            return false;
        }
    }

    private String log() {
        try {
            return Files.readString(folder.resolve(LOG));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process running() {
        if (process == null || !process.isAlive()) {
            throw new IllegalStateException("Redis on port " + port + " is not running");
        }
        return process;
    }

    private static void awaitEnd(Process process) {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("redis-server " + process.pid() + " did not stop in " + PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while redis-server was ending", e);
        }
    }
}
