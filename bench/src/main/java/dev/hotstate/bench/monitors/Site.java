package dev.hotstate.bench.monitors;

import dev.hotstate.bench.drill.ServerProcess;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A Redis and a PostgreSQL for servers that are processes of their own, and a look at what they keep there. */
final class Site implements AutoCloseable {
    /** Redis schedules by the wall clock of this machine. */
    static final InstantSource CLOCK = InstantSource.system();

    private static final String SCHEDULES = "*:monitor:schedule";
    private static final String ARCHIVE = "up.jsa";

    /** As the launcher starts a server: the first one leaves an archive of its classes to the later ones. */
    static final List<String> AS_LAUNCHED =
            List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + ARCHIVE, "-Xlog:disable");

    private static final String DUES =
            "return {redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES'), redis.call('HKEYS', KEYS[2])}";

    final RedisServer redis =
            RedisServer.start("appendonly yes", "appendfsync everysec", "auto-aof-rewrite-percentage 0");
    final PostgresServer postgres = PostgresServer.start();
    final PostgresDatabase database = postgres.freshDatabase();
    private final Path folder = folder();
    private boolean logKept;

    /** One more server; the caller ends it. */
    ServerProcess serve(List<String> jvmOptions) {
        return ServerProcess.start(
                jvmOptions,
                Map.of(
                        "HOTSTATE_REDIS", redis.uri(),
                        "HOTSTATE_POSTGRES", database.jdbcUrl(),
                        "HOTSTATE_FEATURES", "monitors",
                        "HOTSTATE_HTTP_MAX_BODY", "16MB",
                        // All of our targets are one host.
                        "HOTSTATE_MONITORS_PER_HOST", "500"),
                folder);
    }

    /** How many monitors are on the schedule. */
    long scheduled() {
        return entries(SCHEDULES);
    }

    /** How many monitors have an incident that PostgreSQL does not know yet. */
    long unsettled() {
        return entries("*:monitor:unsettled");
    }

    private long entries(String keys) {
        return redis.commands().keys(keys).stream()
                .mapToLong(redis.commands()::zcard)
                .sum();
    }

    /** When each monitor is due, in milliseconds of the wall clock; without those whose check is under way. */
    Map<String, Long> dues() {
        Map<String, Long> dues = new HashMap<>();
        for (String schedule : redis.commands().keys(SCHEDULES)) {
            // At one moment: a check that ended between two looks would seem to be due at the end of its lease.
            List<List<String>> both = redis.commands()
                    .eval(DUES, ScriptOutputType.MULTI, schedule, schedule.replace(":schedule", ":fences"));
            List<String> entries = both.getFirst();
            for (int i = 0; i < entries.size(); i += 2) {
                dues.put(entries.get(i), (long) Double.parseDouble(entries.get(i + 1)));
            }
            both.getLast().forEach(dues::remove);
        }
        return dues;
    }

    /** How late the one is that has waited longest, in milliseconds; negative when nothing waits. */
    double longestWait() {
        return redis.commands().keys(SCHEDULES).stream()
                .flatMap(schedule -> redis.commands().zrangeWithScores(schedule, 0, 0).stream())
                .mapToDouble(first -> CLOCK.millis() - first.getScore())
                .max()
                .orElse(-1);
    }

    double redisCpuMicros() {
        Map<String, String> cpu = redis.info("cpu");
        return 1e6 * (Double.parseDouble(cpu.get("used_cpu_user")) + Double.parseDouble(cpu.get("used_cpu_sys")));
    }

    long redisBytes() {
        return Long.parseLong(redis.info("memory").get("used_memory"));
    }

    /** Of all its processes that still run. */
    double postgresCpuMicros() {
        ProcessHandle postmaster = ProcessHandle.of(postgres.pid()).orElseThrow();
        return postmaster
                .descendants()
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .mapToDouble(cpu -> cpu.toNanos() / 1e3)
                .sum();
    }

    long count(String sql) {
        try (Connection connection = database.connect();
                ResultSet rows = connection.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    /** Keeps the servers' log when all else is gone, and says where it is. */
    Path keepLog() {
        logKept = true;
        return ServerProcess.log(folder);
    }

    @Override
    public void close() {
        postgres.close();
        redis.close();
        try {
            if (!logKept) {
                Files.deleteIfExists(ServerProcess.log(folder));
                Files.deleteIfExists(folder.resolve(ARCHIVE));
                Files.delete(folder);
            }
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        }
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("hotstate-bench-");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
