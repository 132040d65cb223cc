package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.InvalidDocumentException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DefinitionsIT extends EmptyDefinitions {
    @Test
    void everyTableIsCalledAfterItsModule() {
        List<String> tables = database.withHandle(
                handle -> handle.createQuery("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
                        .mapTo(String.class)
                        .list());

        assertThat(tables).contains("monitors_definitions", "monitors_deliveries", "monitors_results");
        assertThat(tables).allMatch(table -> table.startsWith("monitors_") || table.startsWith("flyway_"));
    }

    @Test
    void whatIsCreatedIsFoundHereAndByWhoeverComesLater() {
        var created = definitions
                .create(Some.monitor("web", "'tags':['eu'],'alerts':['ops']"))
                .orElseThrow();

        assertThat(created.version()).isEqualTo(1);
        assertThat(created.applied()).isFalse();
        assertThat(definitions.find("web")).contains(created);
        assertThat(directory.byPingKey(created.pingKey())).contains(created);
        try (var later = Directory.load(database)) {
            var found = later.find("web").orElseThrow();
            assertThat(MonitorDocument.of(found.monitor())).isEqualTo(MonitorDocument.of(created.monitor()));
            assertThat(found.createdAt()).isEqualTo(created.createdAt());
            assertThat(later.byPingKey(created.pingKey())).contains(found);
        }
    }

    @Test
    void anIdThatExistsIsRefusedAlsoWhenThisInstanceHasNotHeardOfItYet() {
        try (var other = Directory.load(database)) {
            definitions.create(Some.monitor("web")).orElseThrow();

            var twice = new Definitions(database, other, clock, Some::missing).create(Some.monitor("web"));

            assertThat(twice).isEmpty();
            assertThat(other.find("web")).isPresent();
        }
    }

    @Test
    void anUpdateSeesWhatAnotherInstanceHasWrittenJustBefore() {
        definitions.create(Some.monitor("web"));
        try (var other = Directory.load(database)) {
            definitions.pause("web");

            var updated = new Definitions(database, other, clock, Some::missing)
                    .update("web", old -> Some.monitor("web", "'retries':7,'paused':" + old.paused()));

            assertThat(updated.orElseThrow().monitor().paused()).isTrue();
            assertThat(updated.orElseThrow().version()).isEqualTo(3);
        }
    }

    @Test
    void aChangeToTheSameTakesNoVersion() {
        var created = definitions.create(Some.monitor("web", "'paused':true")).orElseThrow();
        clock.advance(Duration.ofMinutes(1));

        assertThat(definitions.pause("web")).contains(created);
        assertThat(definitions.replace(Some.monitor("web", "'paused':true"))).contains(created);
        assertThat(directory.version()).isEqualTo(1);
    }

    @Test
    void aReplacedMonitorKeepsItsPingKeyAndItsBirthday() {
        var created = definitions.create(Some.monitor("web")).orElseThrow();
        clock.advance(Duration.ofMinutes(1));

        var replaced = definitions.replace(Some.monitor("web", "'retries':5")).orElseThrow();

        assertThat(replaced.pingKey()).isEqualTo(created.pingKey());
        assertThat(replaced.createdAt()).isEqualTo(created.createdAt());
        assertThat(replaced.updatedAt()).isEqualTo(created.updatedAt().plusSeconds(60));
        assertThat(directory.byPingKey(created.pingKey())).contains(replaced);
    }

    @Test
    void whatIsUnknownCannotBeChangedNorDeleted() {
        assertThat(definitions.replace(Some.monitor("web"))).isEmpty();
        assertThat(definitions.pause("web")).isEmpty();
        assertThat(definitions.resume("web")).isEmpty();
        assertThat(definitions.delete("web")).isEmpty();
    }

    @Test
    void aDeletedMonitorIsGoneAndItsChildrenDependOnItNoMore() {
        definitions.create(Some.monitor("router"));
        definitions.create(Some.monitor("switch"));
        definitions.create(Some.dependent("web", "router", "switch"));

        var deleted = definitions.delete("router").orElseThrow();

        assertThat(deleted.deleted()).isTrue();
        assertThat(directory.find("router")).isEmpty();
        assertThat(directory.byPingKey(deleted.pingKey())).isEmpty();
        assertThat(directory.find("web").orElseThrow().monitor().dependsOn()).containsExactly("switch");
        assertThat(directory.size()).isEqualTo(2);
    }

    @Test
    void anIdCanBeUsedAgainAndIsAnotherMonitorThen() {
        var first = definitions.create(Some.monitor("web")).orElseThrow();
        definitions.delete("web");
        clock.advance(Duration.ofHours(1));

        var second = definitions.create(Some.monitor("web")).orElseThrow();

        assertThat(second.version()).isEqualTo(3);
        assertThat(second.pingKey()).isNotEqualTo(first.pingKey());
        assertThat(second.createdAt()).isAfter(first.createdAt());
        assertThat(directory.byPingKey(first.pingKey())).isEmpty();
        try (var later = Directory.load(database)) {
            assertThat(later.find("web").orElseThrow().pingKey()).isEqualTo(second.pingKey());
        }
    }

    @Test
    void whatItNamesMustExist() {
        var flaws = flaws(() ->
                definitions.create(Some.monitor("web", "'depends_on':['router','switch'],'alerts':['ops','nobody']")));

        assertThat(flaws)
                .containsExactly(
                        new Flaw("depends_on[0]", "there is no monitor \"router\""),
                        new Flaw("depends_on[1]", "there is no monitor \"switch\""),
                        new Flaw("alerts[1]", "there is no channel \"nobody\""));
        assertThat(directory.size()).isZero();
        assertThat(directory.version()).isZero();
    }

    @Test
    void aCycleIsRefusedWithItsPath() {
        definitions.create(Some.monitor("a"));
        definitions.create(Some.dependent("b", "a"));
        definitions.create(Some.dependent("c", "b"));

        assertThat(flaws(() -> definitions.replace(Some.dependent("a", "c"))))
                .containsExactly(new Flaw("depends_on", "makes a cycle: a -> c -> b -> a"));
        assertThat(directory.find("a").orElseThrow().monitor().dependsOn()).isEmpty();
    }

    @Test
    void aMonitorWhoseChannelIsGoneCanStillBePaused() {
        definitions.create(Some.monitor("web", "'alerts':['ops']"));
        var without = new Definitions(database, directory, clock, ids -> Set.copyOf(ids));

        assertThat(without.pause("web").orElseThrow().monitor().paused()).isTrue();
        assertThat(without.resume("web").orElseThrow().monitor().paused()).isFalse();
    }

    @Test
    void textThatPostgresCannotHoldIsKeptAllTheSame() {
        var document = new MonitorDocument(
                "odd",
                "odd",
                "http",
                "http://a.example/",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                "POST",
                null,
                "nul \u0000, half \ud83d, \u20ac \"'\\",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        definitions.create(document.toMonitor());

        try (var later = Directory.load(database)) {
            assertThat(later.find("odd")
                            .orElseThrow()
                            .monitor()
                            .check()
                            .options()
                            .body())
                    .isEqualTo(document.body());
        }
    }

    @Test
    void deletedOnesAreForgottenAfterADay() {
        definitions.create(Some.monitor("web"));
        definitions.create(Some.monitor("api"));
        definitions.delete("web");

        assertThat(definitions.purge()).isZero();
        clock.advance(Duration.ofHours(25));
        assertThat(definitions.purge()).isEqualTo(1);
        assertThat(directory.find("api")).isPresent();
    }

    private static List<Flaw> flaws(ThrowingCallable call) {
        return catchThrowableOfType(InvalidDocumentException.class, call).flaws();
    }
}
