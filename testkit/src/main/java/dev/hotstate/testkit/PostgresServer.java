package dev.hotstate.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A real PostgreSQL in processes of its own, on a free loopback port, that a test may break.
 *
 * <p>What was committed survives {@link #kill()} and {@link #restart()}. The user {@code postgres} needs no password; a
 * role that a test makes does ({@code CREATE ROLE reader LOGIN PASSWORD 'secret'}). All is gone after {@link #close()},
 * and when the JVM ends, in whatever way.
 */
public final class PostgresServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String USER = "postgres";
    private static final String ACCESS = """
            host all postgres localhost trust
            host all all localhost scram-sha-256
            """;

    private final AtomicInteger databases = new AtomicInteger();
    private final ReservedPort port;
    private final Path folder;

    private PostgresServer(ReservedPort port, Path folder) {
        this.port = port;
        this.folder = folder;
    }

    /** Starts a PostgreSQL and returns once it answers. */
    public static PostgresServer start() {
        var server = new PostgresServer(ReservedPort.reserve(), TempDir.create("hotstate-postgres-"));
        try {
            server.initialise();
            return server;
        } catch (IOException e) {
            server.close();
            throw new UncheckedIOException("Cannot start PostgreSQL", e);
        }
    }

    /** The database {@code postgres}, with the user in the URL. */
    public String jdbcUrl() {
        return jdbcUrl(USER);
    }

    public String user() {
        return USER;
    }

    public String password() {
        return USER;
    }

    public int port() {
        return port.number();
    }

    /** The postmaster's. */
    public long pid() {
        return postmaster()
                .orElseThrow(() -> new IllegalStateException("PostgreSQL is not running"))
                .pid();
    }

    /** A new and empty database, in some tens of milliseconds. */
    public PostgresDatabase freshDatabase() {
        String name = "test_" + databases.incrementAndGet();
        execute("CREATE DATABASE " + name);
        return database(name);
    }

    /** Drops a database, ending the connections to it. */
    public void drop(PostgresDatabase database) {
        execute("DROP DATABASE IF EXISTS " + database.name() + " WITH (FORCE)");
    }

    /** SIGSTOP to every process: connections stay open, but nothing is answered. */
    public void pause() {
        processes().forEach(Signals::freeze);
    }

    /** SIGCONT to every process. */
    public void resume() {
        processes().forEach(Signals::thaw);
    }

    /** SIGKILL to every process: connections break, and nothing listens when this returns. */
    public void kill() {
        List<ProcessHandle> doomed = processes();
        doomed.forEach(ProcessHandle::destroyForcibly);
        Eventually.within(PATIENCE, "PostgreSQL is dead", () -> doomed.stream().allMatch(Signals::isGone));
        TempDir.delete(data().resolve("postmaster.pid"));
        Reaper.watch(folder);
    }

    /** Ends the server if it still runs and starts one on the same port and data. */
    public void restart() {
        control("restart", "-m", "fast");
        Reaper.watch(pid(), folder);
    }

    /** Ends every process, whatever state they are in, and deletes the data. */
    @Override
    public void close() {
        try {
            stopAtOnce();
        } finally {
            kill();
            TempDir.delete(folder);
            Reaper.forget(folder);
            port.close();
        }
    }

    /** The library unpacks the programs, makes the data if there are none and starts it; then we command it ourselves. */
    @SuppressWarnings("resource")
    private void initialise() throws IOException {
        Reaper.watch(folder);
        PostgresTemplate.copyTo(data());
        EmbeddedPostgres.builder()
                .setPort(port.number())
                .setDataDirectory(data())
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(PATIENCE)
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "off")
                .setServerConfig("dynamic_shared_memory_type", "mmap")
                .setServerConfig("unix_socket_directories", "")
                .setDataDirectoryCustomizer(PostgresServer::prepare)
                .start();
        Reaper.watch(pid(), folder);
    }

    /** Is called when the data were just made, and before each first start. */
    private static void prepare(File data) {
        try {
            Files.writeString(data.toPath().resolve("pg_hba.conf"), ACCESS);
            PostgresTemplate.keep(data.toPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private PostgresDatabase database(String name) {
        return new PostgresDatabase(name, jdbcUrl(name), user(), password());
    }

    private String jdbcUrl(String database) {
        return "jdbc:postgresql://localhost:" + port() + "/" + database + "?user=" + user() + "&password=" + password();
    }

    private void execute(String sql) {
        try (Connection connection = database(USER).connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    private List<ProcessHandle> processes() {
        return postmaster().stream()
                .flatMap(postmaster -> Stream.concat(Stream.of(postmaster), postmaster.descendants()))
                .toList();
    }

    private Optional<ProcessHandle> postmaster() {
        try {
            Path file = data().resolve("postmaster.pid");
            return Files.exists(file)
                    ? ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0)))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unlike SIGKILL, an immediate stop lets PostgreSQL give back its shared memory. */
    private void stopAtOnce() {
        if (postmaster().isPresent()) {
            resume();
            control("stop", "-m", "immediate");
        }
    }

    /** pg_ctl knows the options of the last start from a file in the data folder. */
    private void control(String verb, String... options) {
        Path log = folder.resolve("log");
        try {
            List<String> command = new ArrayList<>();
            if (LinuxUtils.isUnshareAvailable()) {
                command.addAll(List.of("unshare", "-U"));
            }
            command.addAll(List.of(programs().resolve("pg_ctl").toString(), verb));
            command.addAll(List.of("-w", "-t", Long.toString(PATIENCE.toSeconds()), "-D", data().toString()));
            command.addAll(List.of("-l", log.toString()));
            command.addAll(List.of(options));
            Process pgCtl = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (pgCtl.waitFor() != 0) {
                throw new IllegalStateException(
                        "pg_ctl " + verb + " failed: " + (Files.exists(log) ? Files.readString(log) : "no log"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted during pg_ctl " + verb, e);
        }
    }

    /** The first word of the last start's command line is the server program. */
    private Path programs() throws IOException {
        String commandLine = Files.readString(data().resolve("postmaster.opts"));
        return Path.of(commandLine.substring(0, commandLine.indexOf(" \""))).resolveSibling("");
    }

    private Path data() {
        return folder.resolve("data");
    }

    @Override
    public String toString() {
        return jdbcUrl();
    }
}
