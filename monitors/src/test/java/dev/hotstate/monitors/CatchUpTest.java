package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.monitors.Monitor.Rhythm;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CatchUpTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void theFirstClaimAfterAStartFindsWhatNobodyWasThereFor() {
        CatchUp catchUp = new CatchUp();
        assertThat(catchUp.isUnderWay()).isFalse();

        catchUp.claimed(System.nanoTime());

        assertThat(catchUp.isUnderWay()).isTrue();
    }

    @Test
    void claimsThatKeepComingLeaveNothingToCatchUpWith() {
        CatchUp catchUp = new CatchUp();
        long now = System.nanoTime();

        for (int ago = 100; ago >= 0; ago--) {
            catchUp.claimed(now - ago * SECOND);
        }

        assertThat(catchUp.isUnderWay()).isFalse();
    }

    @Test
    void aMinuteAfterTheGapAllIsAsEver() {
        CatchUp catchUp = new CatchUp();
        long now = System.nanoTime();
        catchUp.claimed(now - 200 * SECOND);

        for (int ago = 100; ago >= 0; ago--) {
            catchUp.claimed(now - ago * SECOND);
        }

        assertThat(catchUp.isUnderWay()).isFalse();
    }

    @Test
    void whatWasMissedIsSpreadOverItsIntervalButOverNoMoreThanAMinute() {
        for (int interval : new int[] {10, 60, 3_600}) {
            int seconds = Math.min(interval, 60);
            Rhythm rhythm = new Rhythm(Duration.ofSeconds(interval), 0, Duration.ofSeconds(1), 1, 1);
            Map<Long, Long> bySecond = IntStream.range(0, 6_000)
                    .mapToObj(i -> CatchUp.spread(Bench.monitor("m" + i, rhythm)) / 1_000)
                    .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

            assertThat(bySecond).hasSize(seconds);
            assertThat(bySecond.values()).allMatch(many -> many < 2 * 6_000 / seconds);
        }
    }
}
