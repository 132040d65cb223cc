package dev.hotstate.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.audit.report.ReportJson;
import dev.hotstate.server.audit.PostgresAudits.FamilyFigures;
import dev.hotstate.server.audit.PostgresAudits.Summary;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class PostgresAuditsIT {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
    private static final Instant EVER = Instant.parse("2100-01-01T00:00:00Z");
    private static final Duration LONG = Duration.ofHours(1);

    private static Database database;
    private static PostgresAudits audits;

    @BeforeAll
    static void open(PostgresDatabase postgres) {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()));
        database.migrate(List.of(MigrationSet.of("audit")));
        audits = new PostgresAudits(database);
    }

    @BeforeEach
    void forgetAll() {
        database.useHandle(handle -> handle.execute("TRUNCATE audit_reports, audit_families, audit_lease"));
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void aReportIsReadBackAsItWas() {
        var report = Reports.at(NOON, Reports.family("a", true, 3, 300), Reports.family("b", false, 2, 500));
        assertThat(audits.latest()).isEmpty();
        assertThat(audits.newest()).isEmpty();

        var saved = audits.save(report);

        assertThat(audits.latest().map(ReportJson::read)).contains(report);
        assertThat(audits.newest()).contains(saved);
        assertThat(saved)
                .isEqualTo(new Summary(
                        saved.id(),
                        NOON,
                        1_500,
                        true,
                        5,
                        2,
                        900,
                        1,
                        1,
                        0,
                        List.of(new FamilyFigures("b", false, 2, 500), new FamilyFigures("a", true, 3, 300))));
    }

    @Test
    void historyIsTheNewestFirstWithinItsRangeAndPageByPage() {
        for (int i = 0; i < 5; i++) {
            audits.save(Reports.at(NOON.plusSeconds(i), Reports.family("a", true, i, 10)));
        }
        var page = audits.history(NOON.plusSeconds(1), NOON.plusSeconds(4), Long.MAX_VALUE, 2);
        assertThat(page).extracting(Summary::keys).containsExactly(4L, 3L);
        assertThat(page.getFirst().families()).containsExactly(new FamilyFigures("a", true, 4, 10));
        assertThat(audits.history(NOON.plusSeconds(1), EVER, page.getLast().id(), 9))
                .extracting(Summary::keys)
                .containsExactly(2L, 1L);
    }

    @Test
    void ofOldAuditsTheFiguresStayAndTheReportsGo() {
        for (int i = 0; i < 50; i++) {
            audits.save(Reports.at(NOON.plusSeconds(i), Reports.family("a", true, i, 10)));
        }
        assertThat(audits.history(Instant.EPOCH, EVER, Long.MAX_VALUE, 100)).hasSize(50);
        long whole = database.withHandle(
                handle -> handle.createQuery("SELECT count(*) FROM audit_reports WHERE report IS NOT NULL")
                        .mapTo(long.class)
                        .one());
        assertThat(whole).isEqualTo(48);
        assertThat(audits.latest().map(ReportJson::read).orElseThrow().keys()).isEqualTo(49);
    }

    @Test
    void whatIsOlderIsForgottenWithItsFamilies() {
        audits.save(Reports.at(NOON, Reports.family("a", true, 1, 10)));
        audits.save(Reports.at(NOON.plusSeconds(1), Reports.family("a", true, 2, 10)));
        assertThat(audits.forget(NOON.plusSeconds(1))).isEqualTo(1);
        assertThat(audits.history(Instant.EPOCH, EVER, Long.MAX_VALUE, 9))
                .extracting(Summary::keys)
                .containsExactly(2L);
    }

    @Test
    void oneAtATimeAuditsUntilItIsDoneOrItsLeaseEnded() {
        assertThat(audits.lease("one", LONG)).isTrue();
        assertThat(audits.lease("one", LONG)).as("extended").isTrue();
        assertThat(audits.lease("other", LONG)).isFalse();
        audits.release("other");
        assertThat(audits.lease("other", LONG)).isFalse();
        audits.release("one");
        assertThat(audits.lease("other", Duration.ofMillis(-1))).isTrue();
        assertThat(audits.lease("one", LONG)).as("the lease of the other ended").isTrue();
    }
}
