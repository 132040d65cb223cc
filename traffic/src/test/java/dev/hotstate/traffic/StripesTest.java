package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** Nothing is lost or counted twice between threads that count and the one that drains. */
class StripesTest {
    private static final int THREADS = 8;
    private static final int EACH = 20_000;

    @Test
    void whatManyThreadsCountIsDrainedOnce() throws Exception {
        Stripes stripes = Stripes.forThisProcess(2);
        Endpoint endpoint = Endpoint.of(1, "GET /a");
        LongAdder requests = new LongAdder();
        LongAdder errors = new LongAdder();
        LongAdder statuses = new LongAdder();
        LongAdder seconds = new LongAdder();
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1)) {
            Future<?> drainer = threads.submit(() -> {
                while (!done.get()) {
                    stripes.drain(page -> tally(page, requests, errors, statuses, seconds));
                }
            });
            List<Callable<Void>> writers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                writers.add(() -> {
                    for (int i = 0; i < EACH; i++) {
                        stripes.add(endpoint, i % 2 == 0 ? 200 : 500, i, 1_000L * i, i % 8);
                    }
                    return null;
                });
            }
            for (Future<Void> writer : threads.invokeAll(writers)) {
                writer.get();
            }
            done.set(true);
            drainer.get();
        }
        stripes.drain(page -> tally(page, requests, errors, statuses, seconds));

        assertThat(requests.sum()).isEqualTo(THREADS * EACH);
        assertThat(errors.sum()).isEqualTo(THREADS * EACH / 2);
        assertThat(statuses.sum()).isEqualTo(THREADS * EACH);
        assertThat(seconds.sum()).isEqualTo(THREADS * EACH);
    }

    @Test
    void eachTenSecondsHaveTheirOwnCell() {
        Stripes stripes = Stripes.forReports(2);
        Endpoint endpoint = Endpoint.of(1, "GET /a");
        stripes.add(endpoint, 200, 1, 9_999, 9);
        stripes.add(endpoint, 200, 1, 10_000, 10);
        stripes.add(endpoint, 200, 1, 9_998, 9);

        List<String> cells = new ArrayList<>();
        stripes.drain(page -> page.cells(
                cell -> cells.add(cell.startMs() + ": " + cell.figures().requests())));

        assertThat(cells).containsExactlyInAnyOrder("0: 2", "10000: 1");
    }

    @Test
    void anIdThatWasGivenToAnotherEndpointKeepsTheirCountsApart() {
        Stripes stripes = Stripes.forReports(2);
        Endpoint before = Endpoint.of(1, "GET /before");
        Endpoint after = Endpoint.of(1, "GET /after");
        stripes.add(before, 200, 1, 0, 0);
        stripes.add(after, 200, 1, 0, 0);
        stripes.add(before, 200, 1, 0, 0);

        assertThat(countsByName(stripes)).containsExactlyInAnyOrder("GET /before: 2", "GET /after: 1");
        stripes.drain(page -> {});
        stripes.add(after, 200, 1, 0, 0);
        assertThat(countsByName(stripes)).containsExactly("GET /after: 1");
    }

    private static List<String> countsByName(Stripes stripes) {
        List<String> counts = new ArrayList<>();
        stripes.drain(page -> page.cells(cell ->
                counts.add(cell.endpoint().name() + ": " + cell.figures().requests())));
        return counts;
    }

    @Test
    void aRingKeepsTheNewestInTheirOrder() {
        Ring ring = new Ring();
        for (int i = 0; i < 5_000; i++) {
            ring.add(i, 3_600_000_000L - i, 100 + i % 500);
        }

        assertThat(ring.size()).isEqualTo(1_024);
        for (int i = 0; i < 1_024; i++) {
            int added = 5_000 - 1_024 + i;
            assertThat(ring.get(i, 10_000))
                    .isEqualTo(new Sample(10_000 + added, 3_600_000_000L - added, 100 + added % 500));
        }
    }

    @Test
    void aRingThatIsNotFullHasAllInTheirOrder() {
        Ring ring = new Ring();
        ring.add(9_999, 1, 599);
        ring.add(0, 0, 100);

        assertThat(ring.size()).isEqualTo(2);
        assertThat(ring.get(0, 0)).isEqualTo(new Sample(9_999, 1, 599));
        assertThat(ring.get(1, 0)).isEqualTo(new Sample(0, 0, 100));
    }

    private static void tally(Page page, LongAdder requests, LongAdder errors, LongAdder statuses, LongAdder seconds) {
        page.cells(cell -> {
            requests.add(cell.figures().requests());
            errors.add(cell.figures().errors());
        });
        page.statuses((status, count) -> statuses.add(count));
        page.seconds((second, count) -> seconds.add(count));
    }
}
