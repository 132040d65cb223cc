package dev.hotstate.monitors.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Each result says how it is until the next, at most for as long as it stands. */
class TimelineTest {
    private static final long MINUTE = 60_000;

    @Test
    void aResultStandsUntilTheNextOne() {
        Tally tally = hour(up(0), down(10), up(15));

        assertThat(tally.upMs()).isEqualTo((10 + 20) * MINUTE);
        assertThat(tally.downMs()).isEqualTo(5 * MINUTE);
        assertThat(tally.checks()).isEqualTo(3);
    }

    @Test
    void whatNobodySaidAnythingAboutIsNotKnown() {
        Tally tally = hour(up(0), up(50));

        assertThat(tally.upMs()).isEqualTo((20 + 10) * MINUTE);
        assertThat(tally.uptime()).isEqualTo(100);
    }

    @Test
    void aResultOfBeforeReachesIntoTheRange() {
        Tally tally = hour(down(-15), up(30));

        assertThat(tally.downMs()).isEqualTo(5 * MINUTE);
        assertThat(tally.checks()).isEqualTo(1);
    }

    @Test
    void maintenanceIsNeitherUpNorDown() {
        Tally tally = hour(up(0), new Sample(1, 10 * MINUTE, 20 * MINUTE, false, true, true, 5), up(20));

        assertThat(tally.upMs()).isEqualTo(30 * MINUTE);
        assertThat(tally.downMs()).isZero();
    }

    @Test
    void nothingStandsForMoreThanTwoDays() {
        Grid grid = Grid.of(0, 10 * Level.DAY.ms());
        List<Tally> tallies = grid.tallies();

        Timeline.tell(
                List.of(new Sample(1, 0, 7 * Level.DAY.ms(), true, false, false, 5)), 0, grid.to(), grid, tallies);

        assertThat(tallies.getFirst().upMs()).isEqualTo(2 * Level.DAY.ms());
    }

    @Property
    void minutesAddUpToTheirHourAndComeBackFromTheirBytes(
            @ForAll @Size(max = 100) List<@IntRange(min = 1, max = 200_000) Integer> distances) {
        List<Sample> samples = new ArrayList<>();
        long at = -50_000;
        for (int distance : distances) {
            at += distance;
            samples.add(new Sample(
                    1,
                    at,
                    1_000L + distance % 90_000,
                    distance % 3 != 0,
                    distance % 5 == 0,
                    distance % 7 == 0,
                    distance));
        }
        Grid minutes = Grid.even(0, MINUTE, 60);
        List<Tally> packed = minutes.tallies();
        Timeline.tell(samples, 0, minutes.to(), minutes, packed);
        Tally sum = new Tally();
        Minutes.unpack(Minutes.pack(packed), 0, (start, minute) -> sum.merge(minute));

        assertThat(sum)
                .usingRecursiveComparison()
                .ignoringFields("latency")
                .isEqualTo(hour(samples.toArray(Sample[]::new)));
        assertThat(sum.percentile(95))
                .isEqualTo(hour(samples.toArray(Sample[]::new)).percentile(95));
    }

    private static Tally hour(Sample... samples) {
        Grid grid = Grid.of(0, 60 * MINUTE);
        List<Tally> tallies = grid.tallies();
        Timeline.tell(List.of(samples), 0, grid.to(), grid, tallies);
        return tallies.getFirst();
    }

    private static Sample up(long minute) {
        return new Sample(1, minute * MINUTE, 20 * MINUTE, true, false, false, 5);
    }

    private static Sample down(long minute) {
        return new Sample(1, minute * MINUTE, 20 * MINUTE, false, true, false, 5);
    }
}
