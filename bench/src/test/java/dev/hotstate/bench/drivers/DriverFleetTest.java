package dev.hotstate.bench.drivers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.bench.drivers.DriverFleet.Noise;
import dev.hotstate.drivers.Cell;
import dev.hotstate.drivers.Fix;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DriverFleetTest {
    private static final InstantSource NOON = InstantSource.fixed(Instant.parse("2026-06-01T12:00:00Z"));
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    @Test
    void driversMoveAsFastAsTheySayAndStayInTown() {
        DriverFleet fleet = fleet(City.skewed(), Noise.NONE);
        Map<String, Fix> before = byId(fleet.all(0, fleet.size()));

        List<Fix> after = fleet.moved(fleet.size(), INTERVAL);

        assertThat(after).hasSize(fleet.size()).allSatisfy(fix -> {
            Fix was = before.get(fix.id());
            double metres = Cell.distance(was.lat(), was.lon(), fix.lat(), fix.lon());
            assertThat(metres).isLessThanOrEqualTo((fix.speed() + 1) / 3.6 * 5 + 0.1);
            assertThat(Cell.distance(12.9716, 77.5946, fix.lat(), fix.lon())).isLessThan(14_300);
            assertThat(fix.seq()).isEqualTo(was.seq() + 1);
        });
    }

    @Test
    void someFixesComeTwiceLateOrOutOfOrder() {
        DriverFleet fleet = fleet(City.uniform(), new Noise(0.2, 0.2, 0.2));
        fleet.moved(fleet.size(), INTERVAL);

        Map<String, List<Fix>> sent =
                fleet.moved(fleet.size(), INTERVAL).stream().collect(Collectors.groupingBy(Fix::id));

        List<Fix> again = sent.values().stream()
                .filter(fixes -> fixes.size() == 2)
                .map(List::getLast)
                .toList();
        assertThat(sent.values()).allMatch(fixes -> fixes.getFirst().seq() == 2);
        assertThat(again).anyMatch(fix -> fix.seq() == 2 && fix.at().equals(NOON.instant()));
        assertThat(again).anyMatch(fix -> fix.at().equals(NOON.instant().minus(INTERVAL)));
        assertThat(again).anyMatch(fix -> fix.at().equals(NOON.instant().minusSeconds(300)));
    }

    @Test
    void theSameSeedMakesTheSameFleet() {
        assertThat(fleet(City.skewed(), Noise.USUAL).moved(500, INTERVAL))
                .isEqualTo(fleet(City.skewed(), Noise.USUAL).moved(500, INTERVAL));
    }

    private static DriverFleet fleet(City city, Noise noise) {
        return new DriverFleet(city, 1_000, noise, NOON, 1);
    }

    private static Map<String, Fix> byId(List<Fix> fixes) {
        return fixes.stream().collect(Collectors.toMap(Fix::id, Function.identity()));
    }
}
