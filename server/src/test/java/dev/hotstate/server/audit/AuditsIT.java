package dev.hotstate.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.audit.Progress;
import dev.hotstate.audit.report.Report;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When an audit is made and who is told; what it looks at is not asked here. */
@ExtendWith(Testkit.class)
class AuditsIT {
    private static final Report REPORT = Reports.at(Instant.parse("2026-01-31T12:00:00Z"));
    private static final Progress.Step STEP = new Progress.Step("names", 1, 2, 3, null);

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private final List<Long> told = new CopyOnWriteArrayList<>();
    private static Database database;
    private static PostgresAudits store;

    @BeforeAll
    static void open(PostgresDatabase postgres) {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()));
        database.migrate(List.of(MigrationSet.of("audit")));
        store = new PostgresAudits(database);
    }

    @BeforeEach
    void forgetAll() {
        database.useHandle(handle -> handle.execute("TRUNCATE audit_reports, audit_families, audit_lease"));
    }

    @AfterEach
    void letGo() {
        goOn.countDown();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void whoAsksWhileOneIsUnderWayGetsThatOneAndOthersAreToldToWait() throws Exception {
        try (var here = instance("here", this::whenToldTo);
                var there = instance("there", this::whenToldTo)) {
            var first = here.begin().orElseThrow();
            assertThat(here.begin()).contains(first);
            assertThat(there.begin()).isEmpty();

            goOn.countDown();
            assertThat(first.get()).isEqualTo(REPORT);
            assertThat(made).hasValue(1);
            assertThat(told).hasSize(1);
            assertThat(store.newest().orElseThrow().id()).isEqualTo(told.getFirst());

            assertThat(there.begin()).isPresent();
        }
    }

    @Test
    void eachIsGivenTheReportBeforeIt() throws Exception {
        var previous = new CopyOnWriteArrayList<Report>();
        try (var audits = instance("here", (last, progress) -> {
            if (last != null) {
                previous.add(last);
            }
            return REPORT;
        })) {
            begun(audits).get();
            begun(audits).get();
        }
        assertThat(previous).containsExactly(REPORT);
    }

    @Test
    void aReportOfAnotherVersionDoesNotStandInTheWay() throws Exception {
        store.save(REPORT);
        database.useHandle(handle -> handle.execute("UPDATE audit_reports SET report = '{\"other\": true}'"));
        try (var audits = instance("here", (last, progress) -> {
            assertThat(last).isNull();
            return REPORT;
        })) {
            assertThat(begun(audits).get()).isEqualTo(REPORT);
        }
    }

    @Test
    void oneThatFailsIsTriedAgainWhenSomebodyAsks() throws Exception {
        var failures = new AtomicInteger(1);
        try (var audits = instance("here", (last, progress) -> {
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("Redis does not answer");
            }
            return REPORT;
        })) {
            var failed = begun(audits);
            assertThatThrownBy(failed::get).isInstanceOf(ExecutionException.class);
            assertThat(store.newest()).isEmpty();
            assertThat(begun(audits).get()).isEqualTo(REPORT);
        }
    }

    @Test
    void aServerThatEndsStopsItsAuditAndKeepsNothingOfIt() {
        var begun = new CountDownLatch(1);
        var audits = instance("here", (last, progress) -> {
            while (progress.at(STEP)) {
                begun.countDown();
                Thread.onSpinWait();
            }
            return REPORT;
        });
        var running = audits.begin().orElseThrow();
        Eventually.until("it is under way", () -> begun.getCount() == 0);
        audits.close();
        Eventually.until("it has ended", running::isDone);
        assertThat(running).isCancelled();
        assertThat(store.newest()).isEmpty();
        assertThat(audits.begin()).isEmpty();
        assertThat(store.lease("other", Duration.ofMinutes(1))).isTrue();
    }

    @Test
    void oneWhoseLeaseAnotherInstanceHasTakenEndsAndKeepsNothing() {
        var audits = instance("here", (last, progress) -> {
            assertThat(progress.at(STEP)).isTrue();
            takenBy("there");
            assertThat(progress.at(STEP)).as("it is not asked for at each step").isTrue();
            nanos.addAndGet(Duration.ofSeconds(16).toNanos());
            assertThat(progress.at(STEP)).isFalse();
            return REPORT;
        });
        try (audits) {
            var lost = begun(audits);
            Eventually.until("it has ended", lost::isDone);
            assertThat(lost).isCancelled();
        }
        assertThat(store.newest()).isEmpty();
        assertThat(told).isEmpty();
        assertThat(store.lease("elsewhere", Duration.ofMinutes(1)))
                .as("the other one's lease is still there")
                .isFalse();
    }

    @Test
    void aLeaseThatIsExtendedIsKept() throws Exception {
        try (var audits = instance("here", (last, progress) -> {
            for (int i = 0; i < 8; i++) {
                nanos.addAndGet(Duration.ofSeconds(16).toNanos());
                assertThat(progress.at(STEP)).isTrue();
            }
            return REPORT;
        })) {
            assertThat(begun(audits).get()).isEqualTo(REPORT);
        }
    }

    private static void takenBy(String other) {
        database.useHandle(handle -> handle.execute("TRUNCATE audit_lease"));
        assertThat(store.lease(other, Duration.ofMinutes(1))).isTrue();
    }

    private Report whenToldTo(Report last, Progress progress) {
        try {
            goOn.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        made.incrementAndGet();
        return REPORT;
    }

    private Audits instance(String name, Audits.Auditing auditing) {
        return new Audits(name, store, auditing, summary -> told.add(summary.id()), nanos::get);
    }

    private static CompletableFuture<Report> begun(Audits audits) {
        var begun = audits.begin();
        assertThat(begun).isPresent();
        return begun.orElseThrow();
    }
}
