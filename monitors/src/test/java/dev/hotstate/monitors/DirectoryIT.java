package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseHealth;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.StoreUnavailableException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectoryIT extends EmptyDefinitions {
    private Directory here;
    private Directory there;
    private Definitions writer;

    @BeforeEach
    void openTwo() {
        here = directory;
        writer = definitions;
        there = Directory.load(database);
    }

    @AfterEach
    void closeTheOther() {
        there.close();
    }

    @Test
    void anInstanceLearnsByItselfWhatAnotherHasCreatedChangedAndDeleted() {
        var told = new CopyOnWriteArrayList<Definition>();
        there.follow(told::addAll);

        var created = writer.create(Some.monitor("web")).orElseThrow();
        Eventually.until("it is created", () -> there.find("web").isPresent());
        writer.pause("web");
        Eventually.until(
                "it is paused",
                () -> there.find("web")
                        .filter(found -> found.monitor().paused())
                        .isPresent());
        writer.delete("web");
        Eventually.until("it is gone", () -> there.find("web").isEmpty());

        assertThat(there.byPingKey(created.pingKey())).isEmpty();
        Eventually.until("all of it was told", () -> told.size() == 3);
        assertThat(told).extracting(Definition::version).containsExactly(1L, 2L, 3L);
        assertThat(told.getLast().deleted()).isTrue();
    }

    @Test
    void theListenerHasHeardOfALocalChangeWhenTheCallReturns() {
        var told = new CopyOnWriteArrayList<String>();
        here.follow(changes -> changes.forEach(change -> told.add(change.id())));

        writer.create(Some.monitor("web"));

        assertThat(told).containsExactly("web");
        here.sync();
        assertThat(told).containsExactly("web");
    }

    @Test
    void whoeverBeginsToListenIsToldOfAllThatThereIs() {
        writer.apply(List.of(Some.monitor("a"), Some.monitor("b")), false, false);
        there.sync();
        var told = new CopyOnWriteArrayList<String>();

        there.follow(changes -> changes.forEach(change -> told.add(change.id())));

        Eventually.until("both were told", () -> told.size() == 2);
        assertThat(told).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void whoeverBeginsToListenIsToldOfWhatWasDeletedBeforeToo() {
        writer.create(Some.monitor("gone"));
        writer.create(Some.monitor("anew"));
        writer.delete("gone");
        writer.delete("anew");
        writer.create(Some.monitor("anew"));
        var told = new CopyOnWriteArrayList<String>();

        try (var restarted = Directory.load(database)) {
            restarted.follow(changes -> changes.forEach(change -> told.add(change.id() + " " + change.deleted())));
            Eventually.until("both were told", () -> told.size() == 2);
        }

        assertThat(told).containsExactlyInAnyOrder("gone true", "anew false");
    }

    @Test
    void aListenerThatFailsIsToldAgainAndOfTheNewestOnly() {
        var away = new AtomicBoolean(true);
        var told = new CopyOnWriteArrayList<Definition>();
        here.follow(changes -> {
            if (away.get()) {
                throw new IllegalStateException("Redis is away");
            }
            told.addAll(changes);
        });

        writer.create(Some.monitor("web"));
        writer.pause("web");
        assertThat(told).isEmpty();
        away.set(false);

        Eventually.until("it was told", () -> !told.isEmpty());
        assertThat(told).extracting(Definition::version).containsExactly(2L);
    }

    @Test
    void aVersionThatAnotherInstanceSpeaksOfIsFetchedAtOnce() {
        var created = writer.create(Some.monitor("web")).orElseThrow();

        assertThat(there.find("web")).isEmpty();
        assertThat(there.require("web", created.version()).orElseThrow().version())
                .isEqualTo(created.version());
        writer.delete("web");
        assertThat(there.require("web", created.version())).isPresent();
        assertThat(there.require("web", created.version() + 1)).isEmpty();
    }

    @Test
    void versionsBecomeVisibleInTheirOrderWhoeverWrites() throws Exception {
        var others = new Definitions(database, there, clock, Some::missing);
        var seen = new CopyOnWriteArrayList<Long>();
        try (var reader = Directory.load(database);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            reader.follow(changes -> changes.forEach(change -> seen.add(change.version())));
            var writes = IntStream.range(0, 200)
                    .<Callable<Optional<Definition>>>mapToObj(
                            i -> () -> (i % 2 == 0 ? writer : others).create(Some.monitor("m" + i)))
                    .toList();
            var looking = threads.submit(() -> {
                while (reader.size() < 200) {
                    reader.sync();
                }
            });
            for (var written : threads.invokeAll(writes)) {
                assertThat(written.get()).isPresent();
            }
            looking.get();
            Eventually.until("all were told", () -> seen.size() == 200);
        }

        assertThat(seen)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 200).boxed().toList());
    }

    @Test
    void oneWhoWasAwayWhileDeletionsWerePurgedStartsOver() {
        writer.apply(List.of(Some.monitor("a"), Some.monitor("b")), false, false);
        there.sync();
        var told = new CopyOnWriteArrayList<Definition>();
        writer.delete("a");
        clock.advance(Duration.ofDays(2));
        assertThat(writer.purge()).isEqualTo(1);
        writer.create(Some.monitor("c"));

        there.follow(told::addAll);
        there.sync();

        assertThat(Some.ids(there.page(Filter.ALL, null, 10).items())).containsExactly("b", "c");
        assertThat(there.version()).isEqualTo(here.version());
        Eventually.until(
                "the deletion was told",
                () -> told.stream().anyMatch(change -> change.id().equals("a") && change.deleted()));
    }

    @Test
    void aPostgresThatWasRestoredFromACopyIsBelieved() {
        writer.apply(List.of(Some.monitor("a"), Some.monitor("b")), false, false);
        there.sync();

        database.useTransaction(handle -> {
            handle.execute("DELETE FROM monitors_definitions WHERE id = 'b'");
            handle.execute("UPDATE monitors_versions SET last = 1 WHERE of = 'definitions'");
        });
        there.sync();

        assertThat(Some.ids(there.page(Filter.ALL, null, 10).items())).containsExactly("a");
        assertThat(there.version()).isEqualTo(1);
    }

    @Test
    void aRowThatCannotBeReadDoesNotKeepTheOthersFromBeingWatched() {
        writer.create(Some.monitor("good"));
        writer.create(Some.monitor("bad"));
        database.useHandle(handle -> handle.execute(
                "UPDATE monitors_definitions SET document = '{\"type\":\"telegraph\"}' WHERE id = 'bad'"));

        try (var later = Directory.load(database)) {
            assertThat(Some.ids(later.page(Filter.ALL, null, 10).items())).containsExactly("good");
            assertThat(later.version()).isEqualTo(2);
            var repaired = new Definitions(database, later, clock, Some::missing).create(Some.monitor("bad"));
            assertThat(repaired.orElseThrow().version()).isEqualTo(3);
        }
    }

    @Test
    void listsAreByNameAndACursorSurvivesTheEndOfItsMonitor() {
        for (String id : List.of("c", "a", "B", "d")) {
            writer.create(Some.monitor(id));
        }

        var first = here.page(Filter.ALL, null, 2);
        writer.delete("B");
        var second = here.page(Filter.ALL, first.next(), 2);

        assertThat(Some.ids(first.items())).containsExactly("a", "B");
        assertThat(Some.ids(second.items())).containsExactly("c", "d");
        assertThat(second.next()).isNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> here.page(Filter.ALL, "nonsense!", 2))
                .withMessageStartingWith("cursor ");
    }

    @Test
    void aSearchLooksAtNameIdTargetAndTagsButNotAtPasswords() {
        writer.create(Some.monitor("web", "'tags':['Frankfurt']"));
        writer.create(Some.monitor("db", "'type':'redis','target':'redis://u:s3cret@cache.example'"));

        assertThat(found("frank")).containsExactly("web");
        assertThat(found("CACHE.ex")).containsExactly("db");
        assertThat(found("monitor")).containsExactly("db", "web");
        assertThat(found("s3cret")).isEmpty();
        assertThat(Some.ids(here.select(new Filter("Frankfurt", null), null).toList()))
                .containsExactly("web");
        assertThat(here.select(new Filter("frankfurt", null), null)).isEmpty();
    }

    @Test
    void withoutPostgresWhatIsKnownStaysAndWhatWasMissedComesWhenItIsBack() {
        try (var server = PostgresServer.start();
                var away = impatient(server.freshDatabase());
                var directory = Directory.load(away)) {
            var definitions = new Definitions(away, directory, clock, Some::missing);
            definitions.create(Some.monitor("web"));
            directory.follow(changes -> {});

            server.kill();

            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(directory::sync);
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> definitions.create(Some.monitor("api")));
            var before = directory.age();
            assertThat(directory.find("web")).isPresent();
            assertThat(directory.select(Filter.ALL, null)).hasSize(1);
            Eventually.until("its age grows", () -> directory.age().compareTo(before) > 0);

            server.restart();
            Eventually.until("PostgreSQL is back", () -> away.health() instanceof DatabaseHealth.Up);
            try (var elsewhere = Directory.load(away)) {
                new Definitions(away, elsewhere, clock, Some::missing).create(Some.monitor("late"));
            }
            Eventually.until("it has caught up", () -> directory.find("late").isPresent());
        }
    }

    private static Database impatient(PostgresDatabase place) {
        Some.database(place).close();
        return Database.open(DatabaseOptions.of(place.jdbcUrl()).withConnectTimeout(Duration.ofSeconds(1)));
    }

    private List<String> found(String q) {
        return Some.ids(here.select(new Filter(null, q), null).toList());
    }
}
