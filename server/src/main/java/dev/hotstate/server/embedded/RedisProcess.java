package dev.hotstate.server.embedded;

import dev.hotstate.server.config.ServerUrl;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.LockSupport;
import redis.embedded.RedisExecProvider;
import redis.embedded.util.OS;
import redis.embedded.util.OsArchitecture;

/**
 * The embedded Redis. It runs detached, because Ctrl-C reaches every process of a terminal at once and Redis must
 * outlive the server that still hands back its leases; its pid file tells who it is.
 */
final class RedisProcess implements AutoCloseable {
    /** Long enough to read back a full append-only file of the memory it may have. */
    private static final Duration STARTING = Duration.ofSeconds(60);

    private static final int ATTEMPTS = 3;

    private final Path folder;
    private final Path pidFile;

    private RedisProcess(Path folder) {
        this.folder = folder;
        this.pidFile = folder.resolve("redis.pid");
    }

    /** Ends what a killed predecessor left running, then starts on the same data. */
    static RedisProcess start(Path folder) {
        var redis = new RedisProcess(folder);
        redis.close();
        try {
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                if (redis.tryStart()) {
                    return redis;
                }
            }
        } catch (IOException broken) {
            throw failed(folder, broken);
        }
        throw new EmbeddedServerException(
                "the embedded Redis did not start: " + ServerLog.lastFault(folder.resolve("redis.log")));
    }

    /** Takes the program out of its jar, if that was not done before. */
    static void unpack(Path folder) {
        try {
            new RedisProcess(folder).program();
        } catch (IOException broken) {
            throw failed(folder, broken);
        }
    }

    /** The address of the Redis that runs, or last ran, in the folder. */
    static ServerUrl url(Path folder) {
        try {
            long port = DataFolder.number(folder.resolve("port")).orElseThrow();
            return new ServerUrl("redis://:" + Password.of(folder.resolve("password")) + "@127.0.0.1:" + port);
        } catch (IOException | NoSuchElementException unknown) {
            throw new EmbeddedServerException("there is no embedded Redis in " + folder, unknown);
        }
    }

    @Override
    public void close() {
        ServerProcess.ours(pidFile, folder).ifPresent(process -> process.end("TERM"));
    }

    private static EmbeddedServerException failed(Path folder, IOException broken) {
        return new EmbeddedServerException(
                "the embedded Redis cannot be started in " + folder + ": " + broken.getMessage(), broken);
    }

    /** False if it ended at once, as when another process took the port in between. */
    private boolean tryStart() throws IOException {
        int port = RememberedPort.of(folder.resolve("port"));
        var password = Password.of(folder.resolve("password"));
        var configuration = folder.resolve("redis.conf");
        Files.deleteIfExists(pidFile);
        writePrivately(configuration, configuration(port, password));
        run(List.of(program().toString(), configuration.toString()));

        long giveUp = System.nanoTime() + STARTING.toNanos();
        while (System.nanoTime() < giveUp) {
            if (answers(port, password)) {
                return true;
            }
            if (Files.exists(pidFile) && ServerProcess.named(pidFile).isEmpty()) {
                return false;
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        close();
        return false;
    }

    /** Taken out of its jar once; the move makes a half-written program impossible. */
    private Path program() throws IOException {
        var machine = OsArchitecture.detect();
        var system = machine.os() == OS.MAC_OS_X ? "darwin" : "linux";
        var name = "redis-server-" + RedisExecProvider.redisVersion + "-" + system + "-" + processor(machine);
        var program = folder.resolve(name);
        if (!Files.isExecutable(program)) {
            try (var packed = RedisExecProvider.class.getResourceAsStream("/" + name)) {
                if (packed == null) {
                    throw new IOException("there is no embedded Redis for " + machine + "; give a Redis with --redis");
                }
                var half = folder.resolve(name + ".half");
                Files.copy(packed, half, StandardCopyOption.REPLACE_EXISTING);
                if (!half.toFile().setExecutable(true)) {
                    throw new IOException(half + " cannot be made executable");
                }
                Files.move(half, program, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        return program;
    }

    private static String processor(OsArchitecture machine) {
        return switch (machine.arch()) {
            case x86 -> "386";
            case x86_64 -> "amd64";
            case arm64 -> "arm64";
        };
    }

    private String configuration(int port, String password) {
        return """
                bind 127.0.0.1
                port %d
                requirepass %s
                daemonize yes
                pidfile "%s"
                logfile "%s"
                dir "%s"
                appendonly yes
                appendfsync everysec
                save ""
                maxmemory 512mb
                maxmemory-policy noeviction
                """.formatted(port, password, quoted(pidFile), quoted(folder.resolve("redis.log")), quoted(folder));
    }

    private static String quoted(Path path) {
        return path.toString().replace("\\", "\\\\").replace("\"", "\\\"");
    }

    private static void writePrivately(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, DataFolder.ownerOnly(file, "rw-------"));
        Files.writeString(file, text);
    }

    /** Returns once the process has detached itself. */
    private void run(List<String> command) throws IOException {
        try {
            var output =
                    ProcessBuilder.Redirect.appendTo(folder.resolve("redis.log").toFile());
            new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output)
                    .start()
                    .waitFor();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", hurry);
        }
    }

    /** It takes our password and has read its data; a stranger on the port does not. */
    private static boolean answers(int port, String password) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            socket.setSoTimeout(1000);
            var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            socket.getOutputStream().write(("AUTH " + password + "\r\nPING\r\n").getBytes(StandardCharsets.US_ASCII));
            return "+OK".equals(lines.readLine()) && "+PONG".equals(lines.readLine());
        } catch (IOException notYet) {
            return false;
        }
    }
}
