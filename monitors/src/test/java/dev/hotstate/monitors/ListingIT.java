package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.monitors.Monitor.Rhythm;
import dev.hotstate.monitors.Monitors.Part;
import dev.hotstate.monitors.Monitors.Query;
import dev.hotstate.monitors.Monitors.Sort;
import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.monitors.check.CheckType;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lists by name, state and latency, a part at a time. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListingIT {
    private final Target target = new Target();
    private Fleet fleet;
    private Monitoring monitoring;

    @BeforeAll
    void start(RedisServer redis, PostgresDatabase postgres) {
        fleet = new Fleet(redis, postgres);
        monitoring = fleet.start();
        target.breakDown("/down");
        List<Monitor> monitors = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            monitors.add(monitor("up-" + i, "Web %02d".formatted(i), "/up", i % 5 == 0 ? "edge" : "core"));
        }
        monitors.add(monitor("down-1", "Down one", "/down", "core"));
        monitors.add(monitor("down-2", "another down", "/down", "edge"));
        monitors.add(monitor("off", "Off", "/up", "core").withPaused(true));
        monitoring.definitions().apply(monitors, false, false);
        Eventually.until("all were checked", () -> count(State.UP) == 25 && count(State.DOWN) == 2);
    }

    @AfterAll
    void stop() {
        fleet.close();
        target.close();
    }

    @Test
    void everyMonitorIsOnExactlyOnePartWhateverTheOrder() {
        for (Sort sort : Sort.values()) {
            List<String> ids = new ArrayList<>();
            String cursor = null;
            do {
                Part part = monitoring.monitors().list(new Query(null, null, null, sort, cursor, 10));
                assertThat(part.items()).hasSizeLessThanOrEqualTo(10);
                part.items().forEach(item -> ids.add(item.definition().id()));
                cursor = part.next();
            } while (cursor != null);

            assertThat(ids).as("sorted by " + sort).hasSize(28).doesNotHaveDuplicates();
        }
    }

    @Test
    void theStatesOfAnyNumberAreKnownFromTheIndex() {
        List<Definition> all = monitoring.directory().select(Filter.ALL, null).toList();

        assertThat(monitoring.monitors().states(all)).containsExactlyInAnyOrder(State.UP, State.DOWN, State.PAUSED);
        assertThat(monitoring.monitors().states(List.of())).isEmpty();
    }

    @Test
    void byNameUpperAndLowerCaseAreOne() {
        assertThat(ids(null, null, null, Sort.NAME)).startsWith("down-2", "down-1", "off", "up-0", "up-1");
    }

    @Test
    void byStateTheWorstComeFirstAndThePausedLast() {
        List<String> ids = ids(null, null, null, Sort.STATE);

        assertThat(ids).startsWith("down-2", "down-1", "up-0").endsWith("off");
    }

    @Test
    void aListIsNarrowedByStateTagAndText() {
        assertThat(ids(State.DOWN, null, null, Sort.NAME)).containsExactly("down-2", "down-1");
        assertThat(ids(State.DOWN, "edge", null, Sort.NAME)).containsExactly("down-2");
        assertThat(ids(State.PAUSED, null, null, Sort.NAME)).containsExactly("off");
        assertThat(ids(State.STALE, null, null, Sort.NAME)).isEmpty();
        assertThat(ids(null, null, "WEB 07", Sort.NAME)).containsExactly("up-7");
        assertThat(ids(State.UP, "edge", "web", Sort.LATENCY)).hasSize(5);
    }

    @Test
    void byLatencyTheSlowestComeFirst() {
        List<Long> latencies =
                monitoring.monitors().list(new Query(State.UP, null, null, Sort.LATENCY, null, 100)).items().stream()
                        .map(item -> item.live().latencyMs())
                        .toList();

        assertThat(latencies).hasSize(25);
    }

    @Test
    void aCursorThatIsNoneIsRefused() {
        for (Sort sort : Sort.values()) {
            assertThatThrownBy(() -> monitoring.monitors().list(new Query(null, null, null, sort, "%%%", 10)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cursor");
        }
    }

    @Test
    void theSummaryCountsEveryMonitorOnce() {
        Monitors.Summary summary = monitoring.monitors().summary();

        assertThat(summary.total()).isEqualTo(28);
        assertThat(summary.states().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(28);
        assertThat(summary.states()).containsEntry(State.PAUSED, 1L);
    }

    private long count(State state) {
        return monitoring.monitors().summary().states().getOrDefault(state, 0L);
    }

    private List<String> ids(@Nullable State state, @Nullable String tag, @Nullable String text, Sort sort) {
        return monitoring.monitors().list(new Query(state, tag, text, sort, null, 100)).items().stream()
                .map(item -> item.definition().id())
                .toList();
    }

    private Monitor monitor(String id, String name, String path, String tag) {
        CheckSpec spec = new CheckSpec(
                CheckType.HTTP, target.url(path), Duration.ofSeconds(5), List.of(), CheckOptions.DEFAULTS);
        Rhythm rhythm = new Rhythm(Duration.ofMinutes(10), 0, Duration.ofSeconds(1), 1, 1);
        return new Monitor(id, name, spec, rhythm, null, List.of(tag), List.of(), List.of(), null, false);
    }
}
