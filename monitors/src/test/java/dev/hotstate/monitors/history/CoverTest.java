package dev.hotstate.monitors.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CoverTest {
    private static final long HOUR = Level.HOUR.ms();
    private static final long DAY = Level.DAY.ms();

    @Property
    void everyMomentIsReadOnceAndFromASettledPeriod(
            @ForAll @IntRange(max = 200_000) int from,
            @ForAll @IntRange(min = 1_000, max = 5_000_000) int step,
            @ForAll @IntRange(min = 1, max = 60) int cells,
            @ForAll Set<@IntRange(max = 80) Integer> pendingHours,
            @ForAll @IntRange(max = 100) int until) {
        Grid grid = Grid.even(from, step, cells);
        Settled settled = new Settled(
                until * HOUR,
                Set.copyOf(pendingHours.stream().map(hour -> hour * HOUR).toList()),
                Set.of(DAY));

        Cover cover = Cover.of(grid, settled);

        List<Cover.Span> all = new ArrayList<>();
        Stream.of(Level.values()).forEach(level -> all.addAll(cover.spans(level)));
        all.sort(Comparator.comparingLong(Cover.Span::from));
        long at = grid.from();
        for (Cover.Span span : all) {
            assertThat(span.from()).isEqualTo(at);
            at = span.to();
        }
        assertThat(at).isEqualTo(grid.to());
        for (Cover.Span span : cover.spans(Level.HOUR)) {
            assertThat(Level.HOUR.begins(span.from()) && Level.HOUR.begins(span.to()))
                    .isTrue();
            for (long hour = span.from(); hour < span.to(); hour += HOUR) {
                assertThat(settled.hour(hour)).isTrue();
                assertThat(grid.to(grid.cell(hour))).isGreaterThanOrEqualTo(hour + HOUR);
            }
        }
    }

    @Test
    void ninetyDaysAreReadFromDaysButForTheirEdges() {
        long now = 100 * DAY + 12 * HOUR + 90_000;
        Cover cover = Cover.of(Uptimes.grid(now), new Settled(100 * DAY + 12 * HOUR, Set.of(), Set.of()));

        assertThat(cover.spans(Level.DAY))
                .containsExactly(
                        new Cover.Span(11 * DAY, 70 * DAY),
                        new Cover.Span(71 * DAY, 93 * DAY),
                        new Cover.Span(94 * DAY, 99 * DAY));
        assertThat(cover.spans(Level.MINUTE)).hasSize(2).allMatch(span -> span.to() - span.from() == HOUR);
        assertThat(cover.spans(Level.RESULT)).containsExactly(new Cover.Span(100 * DAY + 12 * HOUR, now));
    }

    @Test
    void aDayIsReadFromItsHoursWhileOneOfThemWaits() {
        Settled settled = new Settled(2 * DAY, Set.of(5 * HOUR), Set.of());

        Cover cover = Cover.of(Grid.of(0, 2 * DAY), settled);

        assertThat(cover.spans(Level.DAY)).containsExactly(new Cover.Span(DAY, 2 * DAY));
        assertThat(cover.spans(Level.HOUR)).containsExactly(new Cover.Span(0, 5 * HOUR), new Cover.Span(6 * HOUR, DAY));
        assertThat(cover.spans(Level.RESULT)).containsExactly(new Cover.Span(5 * HOUR, 6 * HOUR));
    }
}
