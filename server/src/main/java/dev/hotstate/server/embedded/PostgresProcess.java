package dev.hotstate.server.embedded;

import dev.hotstate.server.config.ServerUrl;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The embedded PostgreSQL, programs and data in one folder. Unlike the library's tests it keeps fsync on. */
final class PostgresProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresProcess.class);

    /** Long enough for crash recovery after a kill. */
    private static final Duration STARTING = Duration.ofSeconds(60);

    private final Path folder;
    private final Path data;
    private final Path pidFile;
    private @Nullable EmbeddedPostgres running;

    private PostgresProcess(Path folder) {
        this.folder = folder;
        this.data = folder.resolve("data");
        this.pidFile = data.resolve("postmaster.pid");
    }

    /** Ends what a killed predecessor left running, then starts on the same data. */
    static PostgresProcess start(Path folder) {
        var postgres = new PostgresProcess(folder);
        var log = folder.resolve("postgres.log");
        try {
            postgres.clear();
            postgres.run(log);
            return postgres;
        } catch (IOException | RuntimeException broken) {
            postgres.close();
            if (broken instanceof EmbeddedServerException told) {
                throw told;
            }
            throw new EmbeddedServerException(
                    "the embedded PostgreSQL did not start: " + ServerLog.lastFault(log), broken);
        }
    }

    /** The address of the PostgreSQL that runs, or last ran, in the folder. */
    static ServerUrl url(Path folder) {
        try {
            long port = DataFolder.number(folder.resolve("port")).orElseThrow();
            return new ServerUrl("jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&password="
                    + Password.of(folder.resolve("password")));
        } catch (IOException | NoSuchElementException unknown) {
            throw new EmbeddedServerException("there is no embedded PostgreSQL in " + folder, unknown);
        }
    }

    /** INT is PostgreSQL's fast shutdown: clients are cut off, the data is written out. */
    @Override
    public void close() {
        try {
            if (running != null) {
                running.close();
                running = null;
            }
        } catch (IOException stillThere) {
            LOG.debug("The embedded PostgreSQL did not stop when asked", stillThere);
        }
        ServerProcess.ours(pidFile, folder).ifPresent(process -> process.end("INT"));
    }

    private void clear() throws IOException {
        close();
        var other = ServerProcess.named(pidFile)
                .flatMap(process -> process.info().command())
                .filter(program -> program.endsWith("postgres"));
        if (other.isPresent()) {
            throw new EmbeddedServerException(
                    "another PostgreSQL (" + other.get() + ") uses " + data + "; stop it first");
        }
        // PostgreSQL would take any process that got the old pid for its predecessor, and refuse to start.
        Files.deleteIfExists(pidFile);
        if (!Files.exists(initialised())) {
            deleteTree(data);
        }
    }

    private void run(Path log) throws IOException {
        var password = folder.resolve("password");
        running = EmbeddedPostgres.builder()
                .setPgBinaryResolver(new Binaries(folder))
                .setOverrideWorkingDirectory(programs())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(STARTING)
                .setPort(RememberedPort.of(folder.resolve("port")))
                .setConnectConfig("password", Password.of(password))
                .setLocaleConfig("auth", "scram-sha-256")
                .setLocaleConfig("pwfile", password.toString())
                .setLocaleConfig("locale", "C")
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "100")
                .setOutputRedirector(Redirect.appendTo(log.toFile()))
                .setErrorRedirector(Redirect.appendTo(log.toFile()))
                .start();
        if (!Files.exists(initialised())) {
            Files.createFile(initialised());
        }
    }

    /** Without this mark the data was never in use: its making was cut short, and it is made anew. */
    private Path initialised() {
        return folder.resolve("initialised");
    }

    private File programs() {
        return folder.resolve("programs").toFile();
    }

    private static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (var paths = Files.walk(tree)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** The library caches unpacked programs by resolver; ours stay apart from those of any other folder. */
    private record Binaries(Path folder) implements PgBinaryResolver {
        @Override
        public InputStream getPgBinary(String system, String machine) throws IOException {
            return DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, machine);
        }
    }
}
