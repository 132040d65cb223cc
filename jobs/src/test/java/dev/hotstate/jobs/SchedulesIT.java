package dev.hotstate.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.SettableClock;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several instances' schedules on one PostgreSQL, by a clock that stands. */
@ExtendWith(Testkit.class)
class SchedulesIT {
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    private final Database database;
    private final SettableClock clock = SettableClock.at(NOON);
    private final List<String> published = new CopyOnWriteArrayList<>();
    private final List<String> cancelled = new CopyOnWriteArrayList<>();
    private final Schedules schedules;

    SchedulesIT(PostgresDatabase postgres) {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()).withMaxConnections(6));
        database.migrate(List.of(Jobbing.migrations()));
        schedules = schedules();
    }

    @BeforeEach
    void nothing() {
        database.useHandle(handle -> handle.execute("TRUNCATE jobs_jobs, jobs_schedules CASCADE"));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aScheduleMakesOneJobATimeHoweverManyInstancesLook() {
        put("hourly", "'cron':'0 * * * *','time_zone':'Europe/Berlin'");
        clock.advance(Duration.ofHours(1));

        List<Thread> instances = IntStream.range(0, 4)
                .mapToObj(i -> Thread.ofVirtual().start(() -> schedules().fireDue()))
                .toList();
        instances.forEach(SchedulesIT::joined);
        schedules.fireDue();

        assertThat(published).containsExactly("hourly-20260601T130000Z");
        assertThat(schedules.get("hourly").orElseThrow())
                .returns(Instant.parse("2026-06-01T14:00:00Z"), ScheduleView::nextAt)
                .returns("hourly-20260601T130000Z", ScheduleView::lastJob);
    }

    @Test
    void aTimeWhoseJobIsThereAlreadyMakesNoSecond() {
        put("once", "'interval':'1h'");
        clock.advance(Duration.ofHours(1));
        schedules.fireDue();
        end();
        database.useHandle(handle -> handle.execute(
                "UPDATE jobs_schedules SET next_at = ?", NOON.plusSeconds(3600).atOffset(ZoneOffset.UTC)));

        schedules.fireDue();

        assertThat(jobs()).isEqualTo(1);
    }

    @Test
    void whileTheLastOneRunsATimeIsSkipped() {
        put("skips", "'interval':'1m','overlap':'skip'");
        minutes(3);
        assertThat(published).containsExactly("skips-20260601T120100Z");

        end();
        minutes(1);
        assertThat(published).containsExactly("skips-20260601T120100Z", "skips-20260601T120400Z");
    }

    @Test
    void whileTheLastOneRunsATimeWaitsForItsEnd() {
        put("waits", "'interval':'1m','overlap':'queue'");
        minutes(1);
        for (int i = 0; i < 18; i++) {
            clock.advance(Duration.ofSeconds(10));
            schedules.fireDue();
        }
        assertThat(published).containsExactly("waits-20260601T120100Z");

        end();
        schedules.fireDue();
        assertThat(published).containsExactly("waits-20260601T120100Z", "waits-20260601T120400Z");
    }

    @Test
    void theLastOneIsReplaced() {
        put("replaces", "'interval':'1m','overlap':'replace'");
        minutes(2);

        assertThat(published).containsExactly("replaces-20260601T120100Z", "replaces-20260601T120200Z");
        assertThat(cancelled).containsExactly("replaces-20260601T120100Z");
        assertThat(new PostgresJobs(database)
                        .find("replaces-20260601T120100Z")
                        .orElseThrow()
                        .shown())
                .isEqualTo(JobStatus.CANCELLED);
    }

    @Test
    void missedTimesAreMadeUpForAsWanted() {
        put("none", "'interval':'1m'");
        put("last", "'interval':'1m','catch_up':'last'");
        put("all", "'interval':'1m','catch_up':'all','overlap':'queue'");
        clock.advance(Duration.ofMinutes(3).plusSeconds(45));

        schedules.fireDue();
        assertThat(published).containsExactly("all-20260601T120100Z", "last-20260601T120300Z");
        end();
        schedules.fireDue();
        end();
        schedules.fireDue();
        end();
        schedules.fireDue();
        assertThat(published)
                .containsExactly(
                        "all-20260601T120100Z",
                        "last-20260601T120300Z",
                        "all-20260601T120200Z",
                        "all-20260601T120300Z");
    }

    @Test
    void afterAYearOnlyTheLastHundredAreMadeUpFor() {
        put("old", "'cron':'* * * * *','catch_up':'all','overlap':'queue'");
        clock.advance(Duration.ofDays(365));

        int made = 0;
        schedules.fireDue();
        while (published.size() > made) {
            made = published.size();
            end();
            schedules.fireDue();
        }

        assertThat(published).hasSize(Schedules.MOST_MISSED);
        assertThat(published.getLast()).isEqualTo("old-20270601T120000Z");
    }

    @Test
    void aPausedOneMakesNothing() {
        put("paused", "'interval':'1m','paused':true");
        minutes(5);

        assertThat(published).isEmpty();
        assertThat(schedules.delete("paused")).isTrue();
        assertThat(schedules.delete("paused")).isFalse();
        assertThat(schedules.list()).isEmpty();
    }

    @Test
    void jobsOfLongIdsAreCalledAfterABeginningAndAHash() {
        put("every-morning-in-summer", "'interval':'1m'");
        put("every-morning-in-winter", "'interval':'1m'");
        minutes(1);

        assertThat(published)
                .hasSize(2)
                .doesNotHaveDuplicates()
                .allMatch(id -> id.matches("every-morn-[0-9a-f]{8}-20260601T120100Z"));
    }

    @Test
    void whatWasGotCanBePutBackAndNumbersStayAsTheyWere() {
        String json =
                "{'interval':'1m','next_at':null,'last_at':'2026-06-01T12:00:00Z','last_job':'x','created_at':'x',"
                        + "'updated_at':'x','job':{'name':'n','tasks':[{'id':'a','input':{'n':0.1234567890123456789010}}]}}";
        schedules.put(ScheduleDocument.json("back", json.replace('\'', '"').getBytes(UTF_8)));

        assertThat(schedules
                        .get("back")
                        .orElseThrow()
                        .schedule()
                        .job()
                        .tasks()
                        .getFirst()
                        .input())
                .isEqualTo("{\"n\":0.1234567890123456789010}");
    }

    @Test
    void oneThatCannotBeReadDoesNotStopThoseAfterIt() {
        put("a-broken", "'interval':'1m'");
        put("b-newer", "'interval':'1m'");
        put("c-whole", "'interval':'1m'");
        database.useHandle(handle -> {
            handle.execute("UPDATE jobs_schedules SET document = '{}' WHERE id = 'a-broken'");
            handle.execute(
                    "UPDATE jobs_schedules SET document = replace(document, '\"paused\"', '\"new\":1,\"paused\"')"
                            + " WHERE id = 'b-newer'");
        });
        minutes(1);

        assertThat(published).containsExactly("b-newer-20260601T120100Z", "c-whole-20260601T120100Z");
        assertThat(schedules.list()).extracting(view -> view.schedule().id()).containsExactly("b-newer", "c-whole");
        assertThat(schedules.get("a-broken")).isEmpty();
    }

    @Test
    void theListIsInTheOrderOfPlainTextWhateverTheDatabaseSortsBy() {
        List.of("b", "B", "a-b", "ab", "a").forEach(id -> put(id, "'interval':'1m'"));
        collate("en-x-icu");

        assertThat(schedules.list())
                .extracting(view -> view.schedule().id())
                .containsExactly("B", "a", "a-b", "ab", "b");
        collate("default");
    }

    @Test
    void everythingThatIsWrongIsToldAtOnce() {
        assertThatThrownBy(() -> put("x".repeat(65), "'interval':'1m'")).hasMessageContaining("1 to 64");
        assertThatThrownBy(() -> put("x", "'interval':'1m','interval':'2m'")).hasMessageContaining("Duplicate");
        assertThatThrownBy(() -> ScheduleDocument.yaml("x", "a: &b c\nd: *b".getBytes(UTF_8)))
                .hasMessageContaining("aliases");
        assertThatThrownBy(() -> ScheduleDocument.json(
                        "x",
                        "{\"cron\":\"never\",\"overlap\":\"hope\",\"job\":{\"id\":\"a\",\"tasks\":[{\"id\":\"a b\"}]},\"x\":1}"
                                .getBytes(UTF_8)))
                .isInstanceOfSatisfying(
                        InvalidDocumentException.class,
                        refused -> assertThat(refused.flaws())
                                .extracting(Flaw::field)
                                .contains("cron", "overlap", "job.id", "job.name", "job.tasks[0].id", "x"));
    }

    private void put(String id, String more) {
        String json = "{" + more + ",'job':{'name':'Again','tasks':[{'id':'a'},{'id':'b','needs':['a']}]}}";
        schedules.put(ScheduleDocument.json(id, json.replace('\'', '"').getBytes(UTF_8)));
    }

    private void collate(String collation) {
        database.useHandle(handle ->
                handle.execute("ALTER TABLE jobs_schedules ALTER COLUMN id TYPE text COLLATE \"" + collation + "\""));
    }

    private Schedules schedules() {
        return new Schedules(new PostgresSchedules(database), job -> published.add(job.id()), cancelled::add, clock);
    }

    private void minutes(int count) {
        for (int i = 0; i < count; i++) {
            clock.advance(Duration.ofMinutes(1));
            schedules.fireDue();
        }
    }

    /** All jobs have ended. */
    private void end() {
        database.useHandle(handle -> handle.execute("UPDATE jobs_jobs SET status = 'SUCCEEDED'"));
    }

    private long jobs() {
        return database.withHandle(handle -> handle.createQuery("SELECT count(*) FROM jobs_jobs")
                .mapTo(Long.class)
                .one());
    }

    private static void joined(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
