package dev.hotstate.audit.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BatchTest {
    private static final long BUDGET = 30_000;

    private final Batch batch = new Batch(Duration.ofNanos(BUDGET));
    private final int first = batch.count();

    @Test
    void aServerWithTimeToSpareIsAskedForMore() {
        assertThat(batch.held(BUDGET / 10)).isTrue();

        assertThat(batch.count()).isEqualTo(2 * first);
    }

    @Test
    void aServerThatIsHeldTooLongIsAskedForLess() {
        assertThat(batch.held(BUDGET + 1)).isTrue();

        assertThat(batch.count()).isEqualTo(first / 2);
    }

    @Test
    void whatNearlyFillsTheTimeStays() {
        assertThat(batch.held(BUDGET * 9 / 10)).isFalse();

        assertThat(batch.count()).isEqualTo(first);
    }

    @Test
    void othersAreHeldUpForHalfOfTheirWayAtMost() {
        Batch near = new Batch(Duration.ofNanos(100_000));
        near.shareWith(60_000);
        assertThat(near.held(31_000)).isTrue();
        assertThat(near.count()).isLessThan(first);

        Batch far = new Batch(Duration.ofNanos(100_000));
        far.shareWith(10_000_000);
        assertThat(far.held(99_000)).isFalse();
        assertThat(far.held(101_000)).isTrue();
    }

    @Test
    void sizesHaveTheirBounds() {
        for (int i = 0; i < 20; i++) {
            batch.held(10 * BUDGET);
        }
        assertThat(batch.count()).isEqualTo(20);

        for (int i = 0; i < 20; i++) {
            batch.held(0);
        }
        assertThat(batch.count()).isEqualTo(1_000);
    }

    @Test
    void ofThreeTimingsTheQuickestCounts() {
        batch.took(50_000, 900_000);
        batch.took(40_000, 45_000);
        assertThat(batch.count()).isEqualTo(first);

        batch.took(60_000, 700_000);

        assertThat(batch.count()).isEqualTo(2 * first);
    }
}
