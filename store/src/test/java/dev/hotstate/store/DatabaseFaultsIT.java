package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL of its own, to be killed and paused. */
@Timeout(60)
class DatabaseFaultsIT {
    @TempDir
    private Path data;

    private EmbeddedPostgres server;
    private Database database;

    @BeforeEach
    void open() throws IOException {
        server = start(0);
        database = Database.open(options());
    }

    @AfterEach
    void close() throws IOException {
        database.close();
        server.close();
    }

    @Test
    void thePoolRecoversByItselfWhenAKilledPostgresIsBack() throws Exception {
        assertThat(select(7)).isEqualTo(7);

        int port = server.getPort();
        kill();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> database.jdbi().open().close())
                .withMessageStartingWith("PostgreSQL at localhost:" + port);
        assertThat(database.health()).isInstanceOf(DatabaseHealth.Down.class);

        server = start(port);
        until(() -> database.health() instanceof DatabaseHealth.Up);
        assertThat(select(8)).isEqualTo(8);
    }

    @Test
    void healthAnswersWhilePostgresIsPausedHoweverPatientTheOthersAre() throws Exception {
        DatabaseOptions patient =
                options().withConnectTimeout(Duration.ofMinutes(30)).withQueryTimeout(Duration.ofMinutes(30));
        try (Database database = Database.open(patient)) {
            assertThat(database.health()).isInstanceOf(DatabaseHealth.Up.class);
            List<Long> paused = signal("STOP");
            try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
                Callable<DatabaseHealth> ask = database::health;
                for (Future<DatabaseHealth> answer : askers.invokeAll(Collections.nCopies(20, ask))) {
                    assertThat(answer.get())
                            .isInstanceOfSatisfying(
                                    DatabaseHealth.Down.class,
                                    down -> assertThat(down.reason())
                                            .startsWith("PostgreSQL at localhost:" + server.getPort()));
                }
            } finally {
                signal("CONT", paused);
            }

            until(() -> database.health() instanceof DatabaseHealth.Up);
        }
    }

    @Test
    void openingAPausedPostgresIsGivenUpAndClosingItDoesNotHang() throws Exception {
        List<Long> paused = signal("STOP");
        try {
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> Database.open(options()))
                    .withMessageEndingWith("did not answer within 1 s.");
            database.close();
        } finally {
            signal("CONT", paused);
        }
    }

    private DatabaseOptions options() {
        return DatabaseOptions.of("postgres://postgres@localhost:" + server.getPort() + "/postgres")
                .withConnectTimeout(Duration.ofSeconds(1))
                .withMaxConnections(4);
    }

    private int select(int number) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery("SELECT :number")
                        .bind("number", number)
                        .mapTo(Integer.class)
                        .one());
    }

    private EmbeddedPostgres start(int port) throws IOException {
        EmbeddedPostgres.Builder builder =
                EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false);
        return (port == 0 ? builder : builder.setPort(port)).start();
    }

    private void kill() throws Exception {
        List<ProcessHandle> processes = processes();
        processes.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle process : processes) {
            process.onExit().get();
        }
        server.close(); // there is nothing left to stop, but it gives up its hold on the folder
    }

    private List<Long> signal(String name) throws Exception {
        List<Long> pids = processes().stream().map(ProcessHandle::pid).toList();
        signal(name, pids);
        return pids;
    }

    private static void signal(String name, List<Long> pids) throws Exception {
        Stream<String> command =
                Stream.concat(Stream.of("kill", "-" + name), pids.stream().map(String::valueOf));
        assertThat(new ProcessBuilder(command.toList()).inheritIO().start().waitFor())
                .isZero();
    }

    // The postmaster, first so that it starts no new one, and the processes it started.
    private List<ProcessHandle> processes() throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).getFirst());
        ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
        return Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("still not so after 30 s").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
