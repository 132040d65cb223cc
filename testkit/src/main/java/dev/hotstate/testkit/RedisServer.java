package dev.hotstate.testkit;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis in a process of its own, on a free loopback port, that a test may break.
 *
 * <p>Nothing is persisted unless the configuration says so ({@code start("appendonly yes")}): after {@link #kill()} and
 * {@link #restart()} it is empty. The process and its folder are gone after {@link #close()}, and when the JVM ends.
 */
public final class RedisServer implements RedisTarget, AutoCloseable {
    private static final int PORTS_TRIED = 10;

    private final ReservedPort port;
    private final RedisProcess process;
    private final List<String> config;
    private final Thread atExit;
    private @Nullable RedisClient client;
    private @Nullable RedisCommands<String, String> commands;

    private RedisServer(ReservedPort port, RedisProcess process, List<String> config) {
        this.port = port;
        this.process = process;
        this.config = config;
        this.atExit = new Thread(this::endProcess, "close-redis-" + port.number());
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts a Redis and returns once it answers.
     *
     * @param config lines as in redis.conf: {@code start("maxmemory 10mb", "requirepass secret")}
     */
    public static RedisServer start(String... config) {
        List<String> lines = List.of(config);
        for (int i = 0; i < PORTS_TRIED; i++) {
            ReservedPort port = ReservedPort.reserve();
            var server = new RedisServer(port, new RedisProcess(port.number(), lines), lines);
            if (server.hasStarted()) {
                return server;
            }
        }
        throw new IllegalStateException(PORTS_TRIED + " ports were taken one after the other");
    }

    @Override
    public String uri() {
        String password = password();
        return "redis://" + (password.isEmpty() ? "" : ":" + password + "@") + "127.0.0.1:" + port();
    }

    public int port() {
        return process.port();
    }

    public long pid() {
        return process.pid();
    }

    /** Whether the process is there and not paused. */
    public boolean isRunning() {
        return process.isAlive() && !process.isPaused();
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    @Override
    public synchronized RedisCommands<String, String> commands() {
        if (commands == null) {
            client = RedisClient.create(RedisClients.RESOURCES, RedisClients.uri(port(), password()));
            commands = client.connect().sync();
        }
        return commands;
    }

    @Override
    public SortedSet<String> keys() {
        return new TreeSet<>(commands().keys("*"));
    }

    /** A section of INFO ({@code "memory"}, {@code "replication"}, …) by field. */
    public Map<String, String> info(String section) {
        Map<String, String> fields = new TreeMap<>();
        for (String line : commands().info(section).split("\r?\n")) {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith("#")) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return fields;
    }

    @Override
    public void flushAll() {
        commands().flushall();
    }

    /** SIGKILL: the process is gone when this returns, and what it had not persisted is lost. */
    public void kill() {
        process.kill();
    }

    /** SIGTERM, and waits for the end. */
    public void stop() {
        process.stop();
    }

    /** Ends the process if it still runs (gracefully) and starts one on the same port and folder. */
    public void restart() {
        process.stop();
        startAgain();
    }

    /** Kills the process and starts one on the same port with no data: a replaced machine. */
    public void restartEmpty() {
        process.kill();
        process.eraseData();
        startAgain();
    }

    /** SIGSTOP: connections stay open, and new ones are accepted by the kernel, but nothing is answered. */
    public void pause() {
        process.pause();
    }

    /** SIGCONT: what was sent meanwhile is now answered. */
    public void resume() {
        process.resume();
    }

    /** A copy of all data as of now. What a restart would find on disk is not touched. */
    public RedisSnapshot snapshot() {
        Path file = process.folder().resolve("snapshot.rdb");
        String usual = commands().configGet("dbfilename").get("dbfilename");
        commands().configSet("dbfilename", file.getFileName().toString());
        try {
            commands().save();
            return new RedisSnapshot(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            commands().configSet("dbfilename", usual);
            TempDir.delete(file);
        }
    }

    /** Kills the process and starts one on the same port from an old copy, as a careless restore would. */
    public void restore(RedisSnapshot snapshot) {
        process.kill();
        process.eraseData();
        try {
            Path rdb = process.folder().resolve("dump.rdb");
            Files.write(rdb, snapshot.rdb());
            if (hasLine("appendonly yes")) {
                writeAsAppendOnlyBase(snapshot);
            }
            startAgain();
            if (config.stream().noneMatch(line -> line.startsWith("save "))) {
                Files.delete(rdb);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process, whatever state it is in, and deletes its folder. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // the JVM is ending and runs that hook
        }
        closeClient();
        endProcess();
        port.close();
    }

    private boolean hasStarted() {
        boolean started = false;
        try {
            started = process.start();
        } finally {
            if (!started) {
                close();
            }
        }
        return started;
    }

    private void startAgain() {
        if (!process.start()) {
            throw new IllegalStateException("Port " + port() + " was taken while Redis was down");
        }
    }

    /** With appendonly, Redis reads no dump.rdb; it reads the base that a manifest names. */
    private void writeAsAppendOnlyBase(RedisSnapshot snapshot) throws IOException {
        Path folder = Files.createDirectories(process.folder().resolve("appendonlydir"));
        Files.write(folder.resolve("appendonly.aof.1.base.rdb"), snapshot.rdb());
        Files.writeString(folder.resolve("appendonly.aof.manifest"), "file appendonly.aof.1.base.rdb seq 1 type b\n");
    }

    private boolean hasLine(String line) {
        return config.stream().anyMatch(line::equalsIgnoreCase);
    }

    private String password() {
        return config.stream()
                .filter(line -> line.startsWith("requirepass "))
                .map(line -> line.substring("requirepass ".length()).strip())
                .reduce("", (first, last) -> last);
    }

    private void endProcess() {
        process.kill();
        process.deleteFolder();
    }

    private synchronized void closeClient() {
        if (client != null) {
            client.shutdown(0, 0, TimeUnit.SECONDS);
            client = null;
            commands = null;
        }
    }

    @Override
    public String toString() {
        return uri();
    }
}
