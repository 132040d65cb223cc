package dev.hotstate.bench.jobs.drill;

import dev.hotstate.bench.drill.JvmProcess;
import dev.hotstate.bench.drill.ServerProcess;
import dev.hotstate.bench.drill.Supervised;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.RedisTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Redis or a Redis Cluster and a PostgreSQL, for servers and workers that are processes of their own. */
final class DrillSite implements AutoCloseable {
    private static final List<String> JVM = jvm();

    final RedisTarget redis;
    final @Nullable RedisCluster cluster;
    final PostgresServer postgres = PostgresServer.start();
    final PostgresDatabase database = postgres.freshDatabase();
    private final Runnable endRedis;
    private final Path folder = folder();
    private boolean logKept;

    DrillSite(boolean onCluster) {
        if (onCluster) {
            RedisCluster six = RedisCluster.start();
            cluster = six;
            redis = six;
            endRedis = six::close;
        } else {
            RedisServer one =
                    RedisServer.start("appendonly yes", "appendfsync everysec", "auto-aof-rewrite-percentage 0");
            cluster = null;
            redis = one;
            endRedis = one::close;
        }
        try (Connection connection = database.connect()) {
            Traces.makeTables(connection);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** One more server; the caller ends it. */
    ServerProcess serve() {
        return ServerProcess.start(
                JVM,
                Map.of(
                        "HOTSTATE_REDIS", redis.uri(),
                        "HOTSTATE_POSTGRES", database.jdbcUrl(),
                        "HOTSTATE_FEATURES", "jobs"),
                folder);
    }

    /** One more worker in Java; the caller ends it. */
    JvmProcess work() {
        return JvmProcess.start(
                new JvmProcess.Program(
                        JVM,
                        JvmProcess.classPath(),
                        List.of(WorkerMain.class.getName(), redis.uri(), database.jdbcUrl()),
                        WorkerMain.READY),
                Map.of(),
                folder,
                workerLog());
    }

    /** Keeps the logs when all else is gone, and says where they are. */
    Path keepLogs() {
        logKept = true;
        return folder;
    }

    @Override
    public void close() {
        postgres.close();
        endRedis.run();
        try {
            if (!logKept) {
                Files.deleteIfExists(ServerProcess.log(folder));
                Files.deleteIfExists(workerLog());
                Files.delete(folder);
            }
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        }
    }

    private Path workerLog() {
        return folder.resolve("worker.log");
    }

    private static List<String> jvm() {
        List<String> options = new ArrayList<>(Supervised.QUICK_START);
        options.add("-Xmx192m");
        return List.copyOf(options);
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("hotstate-bench-");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
