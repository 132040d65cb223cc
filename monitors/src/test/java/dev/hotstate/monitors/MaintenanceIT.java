package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.store.Database;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.SettableClock;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class MaintenanceIT {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");
    private static final Monitor WEB = Some.monitor("web", "'tags':['eu']");
    private static final Monitor API = Some.monitor("api");

    private final SettableClock clock = SettableClock.at(NOON);
    private static Database database;
    private Maintenance maintenance;

    @BeforeAll
    static void connect(PostgresDatabase place) {
        database = Some.database(place);
    }

    @AfterAll
    static void disconnect() {
        database.close();
    }

    @BeforeEach
    void open() {
        Some.empty(database);
        maintenance = Maintenance.load(database, clock, Some::missing);
    }

    @AfterEach
    void close() {
        maintenance.close();
    }

    @Test
    void aWindowCoversWhatItIsForWhileItIsOpen() {
        maintenance.create(once("w", 1, 2, "'ids':['web']"));

        assertThat(maintenance.covers(WEB, hours(0))).isFalse();
        assertThat(maintenance.covers(WEB, hours(1))).isTrue();
        assertThat(maintenance.covers(API, hours(1))).isFalse();
        assertThat(maintenance.covers(WEB, hours(2))).isFalse();
        // Someone may ask about an earlier time than the one before.
        assertThat(maintenance.covers(WEB, hours(1))).isTrue();
        assertThat(maintenance.covers(WEB, hours(0))).isFalse();
    }

    @Test
    void overlappingWindowsCoverTogether() {
        maintenance.create(once("all", 1, 3, ""));
        maintenance.create(once("eu", 2, 5, "'tags':['eu']"));
        maintenance.create(window("{'id':'again','cron':'0 16 * * *','duration':'2h','ids':['api']}"));

        assertThat(maintenance.covered(List.of(WEB, API), hours(0))).isEmpty();
        assertThat(maintenance.covered(List.of(WEB, API), hours(2))).containsExactlyInAnyOrder("web", "api");
        assertThat(maintenance.covered(List.of(WEB, API), hours(3))).containsExactly("web");
        assertThat(maintenance.covered(List.of(WEB, API), hours(4))).containsExactlyInAnyOrder("web", "api");
        assertThat(maintenance.covered(List.of(WEB, API), hours(5))).containsExactly("api");
        assertThat(maintenance.nextChange(hours(0))).contains(hours(1));
        assertThat(maintenance.nextChange(hours(1))).contains(hours(2));
        assertThat(maintenance.nextChange(hours(5))).contains(hours(6));
        assertThat(maintenance.nextChange(hours(6))).contains(hours(28));
    }

    @Test
    void withoutWindowsNothingWillChange() {
        assertThat(maintenance.nextChange(NOON)).isEmpty();
        assertThat(maintenance.covers(WEB, NOON)).isFalse();
    }

    @Test
    void anotherInstanceLearnsOfAWindowAndOfItsEnd() {
        try (var there = Maintenance.load(database, clock, Some::missing)) {
            there.follow();

            maintenance.create(once("w", 0, 2, ""));
            Eventually.until("it is there", () -> there.covers(WEB, NOON));
            maintenance.delete("w");
            Eventually.until("it is gone", () -> !there.covers(WEB, NOON));
        }
    }

    @Test
    void aDeletedWindowEndsAtOnce() {
        maintenance.create(once("w", 0, 2, ""));
        assertThat(maintenance.covers(WEB, NOON)).isTrue();

        assertThat(maintenance.delete("w")).isTrue();

        assertThat(maintenance.covers(WEB, NOON)).isFalse();
        assertThat(maintenance.delete("w")).isFalse();
        assertThat(maintenance.list()).isEmpty();
    }

    @Test
    void anIdThatExistsIsRefused() {
        assertThat(maintenance.create(once("w", 0, 2, ""))).isTrue();

        assertThat(maintenance.create(once("w", 3, 4, ""))).isFalse();

        assertThat(maintenance.find("w").orElseThrow()).isEqualTo(once("w", 0, 2, ""));
    }

    @Test
    void aWindowThatHasEndedOrIsForNobodyIsRefused() {
        var refused = catchThrowableOfType(
                InvalidDocumentException.class, () -> maintenance.create(once("w", -2, -1, "'ids':['web','nobody']")));

        assertThat(refused.flaws())
                .containsExactly(
                        new Flaw("ends_at", "must be in the future"),
                        new Flaw("ids[1]", "there is no monitor \"nobody\""));
    }

    @Test
    void thereIsAnEndToHowManyWindowsAreKept() {
        new PostgresWindows(database).insert(NOON, once("w", 1, 2, ""), present -> {});
        copy("w", Maintenance.MOST - 1);
        maintenance.sync();
        assertThat(maintenance.list()).hasSize(Maintenance.MOST).doesNotHaveDuplicates();

        var refused =
                catchThrowableOfType(InvalidDocumentException.class, () -> maintenance.create(once("more", 1, 2, "")));
        clock.advance(Duration.ofHours(3));

        assertThat(refused.flaws()).extracting(Flaw::field).containsExactly("");
        // Those that have ended do not count.
        assertThat(maintenance.create(once("more", 4, 5, ""))).isTrue();
        clock.advance(Duration.ofDays(31));
        assertThat(maintenance.purge()).isEqualTo(Maintenance.MOST + 1);
    }

    /** In one statement: to insert one reads all that are there, which is long for many. */
    private static void copy(String id, int times) {
        database.useHandle(handle ->
                handle.createUpdate("""
                        INSERT INTO monitors_windows (id, document, ends_at, created_at)
                        SELECT id || n, replace(document::text, to_json(id)::text, to_json(id || n)::text)::json,
                               ends_at, created_at
                        FROM monitors_windows, generate_series(1, :times) n WHERE id = :id""").bind("id", id).bind("times", times).execute());
    }

    private static Instant hours(int hours) {
        return NOON.plus(Duration.ofHours(hours));
    }

    private static Window once(String id, int from, int to, String more) {
        return window("{'id':'" + id + "','starts_at':'" + hours(from) + "','ends_at':'" + hours(to) + "'"
                + (more.isEmpty() ? "" : ",") + more + "}");
    }

    private static Window window(String json) {
        return DocumentJson.read(json.replace('\'', '"'), WindowDocument.class).toWindow();
    }
}
