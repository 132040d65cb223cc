package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.InvalidDocumentException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ApplyIT extends EmptyDefinitions {
    @Test
    void aListIsMadeSoAndMadeSoAgainChangesNothing() {
        var list = List.of(Some.monitor("b"), Some.monitor("a"));

        var first = definitions.apply(list, false, false);
        var again = definitions.apply(list, false, true);

        assertThat(first).isEqualTo(new Applied(List.of("a", "b"), List.of(), List.of(), 0, List.of()));
        assertThat(again).isEqualTo(new Applied(List.of(), List.of(), List.of(), 2, List.of()));
        assertThat(directory.version()).isEqualTo(2);
        assertThat(directory.find("a").orElseThrow().applied()).isTrue();
    }

    @Test
    void aDryRunTellsWhatWouldBeDoneAndChangesNothing() {
        definitions.apply(List.of(Some.monitor("kept"), Some.monitor("gone")), false, false);
        var wanted = List.of(Some.monitor("kept", "'retries':5,'tags':['eu']"), Some.monitor("new"));

        var dry = definitions.apply(wanted, true, true);

        assertThat(dry)
                .isEqualTo(new Applied(
                        List.of("new"),
                        List.of("kept"),
                        List.of("gone"),
                        0,
                        List.of(
                                new Applied.Change("kept", "retries", "2", "5"),
                                new Applied.Change("kept", "tags", "[]", "[\"eu\"]"))));
        assertThat(directory.version()).isEqualTo(2);
        try (var later = Directory.load(database)) {
            assertThat(later.version()).isEqualTo(2);
            assertThat(Some.ids(later.page(Filter.ALL, null, 10).items())).containsExactly("gone", "kept");
        }
        assertThat(definitions.apply(wanted, false, true)).isEqualTo(dry);
        assertThat(Some.ids(directory.page(Filter.ALL, null, 10).items())).containsExactly("kept", "new");
    }

    @Test
    void onlyPruneDeletesAndOnlyWhatWasApplied() {
        definitions.create(Some.monitor("by-hand"));
        definitions.apply(List.of(Some.monitor("one"), Some.monitor("two")), false, false);

        assertThat(definitions.apply(List.of(Some.monitor("one")), false, false).deleted())
                .isEmpty();
        assertThat(definitions.apply(List.of(Some.monitor("one")), false, true).deleted())
                .containsExactly("two");
        assertThat(definitions.apply(List.of(), false, true).deleted()).containsExactly("one");
        assertThat(directory.find("by-hand")).isPresent();
        assertThat(directory.size()).isEqualTo(1);
    }

    @Test
    void aMonitorMadeByHandIsNeverPrunedAlsoIfAnApplyHasNamedIt() {
        definitions.create(Some.monitor("web"));

        var applied = definitions.apply(List.of(Some.monitor("web")), false, false);

        assertThat(applied.updated()).isEmpty();
        assertThat(applied.unchanged()).isEqualTo(1);
        assertThat(definitions.apply(List.of(), false, true).deleted()).isEmpty();
        assertThat(directory.find("web")).isPresent();
    }

    @Test
    void dependenciesMayPointAnywhereInTheSameList() {
        var list = new ArrayList<Monitor>();
        IntStream.range(0, 3_000).forEach(i -> list.add(Some.dependent("m" + i, "m" + (i + 1))));
        list.add(Some.monitor("m3000"));

        assertThat(definitions.apply(list, false, false).created()).hasSize(3_001);
        Collections.shuffle(list);
        assertThat(definitions.apply(list, false, false).unchanged()).isEqualTo(3_001);
    }

    @Test
    void aListWithAnyFlawIsRefusedWholeAndEachFlawNamesItsPlace() {
        var refused = catchThrowableOfType(
                InvalidDocumentException.class,
                () -> definitions.apply(
                        List.of(
                                Some.monitor("fine"),
                                Some.dependent("a", "b"),
                                Some.dependent("b", "a"),
                                Some.dependent("c", "nowhere"),
                                Some.monitor("d", "'alerts':['nobody']")),
                        false,
                        false));

        assertThat(refused.flaws())
                .containsExactly(
                        new Flaw("[1].depends_on", "makes a cycle: a -> b -> a"),
                        new Flaw("[3].depends_on[0]", "there is no monitor \"nowhere\""),
                        new Flaw("[4].alerts[0]", "there is no channel \"nobody\""));
        assertThat(directory.size()).isZero();
    }

    @Test
    void whatIsPrunedCannotBeDependedOnInTheListButByHandItIsReleased() {
        definitions.apply(List.of(Some.monitor("router")), false, false);
        definitions.create(Some.dependent("by-hand", "router"));

        var refused = catchThrowableOfType(
                InvalidDocumentException.class,
                () -> definitions.apply(List.of(Some.dependent("web", "router")), false, true));
        var pruned = definitions.apply(List.of(), false, true);

        assertThat(refused.flaws()).containsExactly(new Flaw("[0].depends_on[0]", "there is no monitor \"router\""));
        assertThat(pruned.deleted()).containsExactly("router");
        assertThat(pruned.updated()).containsExactly("by-hand");
        assertThat(pruned.changes()).containsExactly(new Applied.Change("by-hand", "depends_on", "[\"router\"]", "[]"));
    }

    @Test
    void aChangedSecretIsAChangeThatShowsNoSecret() {
        var before = Some.monitor("db", "'type':'redis','target':'redis://u:s3cret@db.example'");
        var after = Some.monitor("db", "'type':'redis','target':'redis://u:other@db.example'");
        definitions.apply(List.of(before), false, false);

        assertThat(definitions.apply(List.of(after), false, false).changes())
                .containsExactly(new Applied.Change(
                        "db", "target", "redis://u:********@db.example", "redis://u:********@db.example"));
    }

    @Test
    void tenThousandMonitorsAreAppliedSearchedAndPagedThrough() {
        var list = IntStream.range(0, 10_000)
                .mapToObj(i -> Some.monitor("m" + i, "'tags':['" + (i % 10 == 0 ? "ten" : "other") + "']"))
                .toList();

        assertThat(definitions.apply(list, false, false).created()).hasSize(10_000);

        assertThat(directory.size()).isEqualTo(10_000);
        assertThat(directory.select(new Filter("ten", null), null)).hasSize(1_000);
        assertThat(directory.select(new Filter(null, "MONITOR M999"), null)).hasSize(11);
        assertThat(pages(new Filter("ten", "m1"))).hasSize(111).doesNotHaveDuplicates();
        try (var later = Directory.load(database)) {
            assertThat(later.size()).isEqualTo(10_000);
            assertThat(later.version()).isEqualTo(10_000);
        }
        assertThat(definitions.apply(List.of(), false, true).deleted()).hasSize(10_000);
        assertThat(directory.size()).isZero();
    }

    private List<String> pages(Filter filter) {
        var ids = new ArrayList<String>();
        String cursor = null;
        do {
            var page = directory.page(filter, cursor, 50);
            ids.addAll(Some.ids(page.items()));
            cursor = page.next();
        } while (cursor != null);
        return ids;
    }
}
