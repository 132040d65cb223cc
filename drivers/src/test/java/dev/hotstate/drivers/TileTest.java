package dev.hotstate.drivers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;

class TileTest {
    private static final int LEVELS = 26;

    @Property
    void whoeverIsWithinTheRadiusIsInOneOfItsTilesAndNoNearerThanThatSays(
            @ForAll @Scale(9) @DoubleRange(min = -90, max = 90) double lat,
            @ForAll @Scale(9) @DoubleRange(min = -180, max = 180) double lon,
            @ForAll @Scale(9) @DoubleRange(min = 0.001, max = 500_000) double radius,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 360) double bearing,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 1) double share) {
        long cell = cellAt(lat, lon, radius * share, bearing);
        double distance = Cell.distance(lat, lon, Cell.lat(cell), Cell.lon(cell));
        List<Tile> holding = Tile.covering(lat, lon, (long) (radius * 1000)).stream()
                .filter(tile -> cell >> 2 * (LEVELS - tile.level()) == tile.score() >> 2 * (LEVELS - tile.level()))
                .toList();

        assertThat(holding).hasSizeLessThanOrEqualTo(1);
        if (distance * 1000 < (long) (radius * 1000)) {
            assertThat(holding).singleElement().matches(tile -> tile.mm() <= distance * 1000);
        }
    }

    @Test
    void aCircleAcrossTheAntimeridianHasTilesOnBothSides() {
        List<Tile> tiles = Tile.covering(10, 179.99, 5_000_000);

        assertThat(tiles)
                .anyMatch(tile -> Cell.lon(tile.score()) > 179)
                .anyMatch(tile -> Cell.lon(tile.score()) < -179);
        assertThat(tiles).hasSizeLessThanOrEqualTo(12);
    }

    @Test
    void theNearestTileComesFirst() {
        assertThat(Tile.covering(12.97, 77.59, 5_000_000))
                .isSortedAccordingTo(Tile.BY_DISTANCE)
                .first()
                .matches(tile -> tile.mm() == 0);
    }

    private static long cellAt(double lat, double lon, double metres, double bearing) {
        double angle = metres / Cell.EARTH_RADIUS;
        double from = Math.toRadians(lat);
        double turn = Math.toRadians(bearing);
        double to = Math.asin(Math.clamp(
                Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(turn), -1, 1));
        double east = Math.atan2(
                Math.sin(turn) * Math.sin(angle) * Math.cos(from), Math.cos(angle) - Math.sin(from) * Math.sin(to));
        double turned = Math.IEEEremainder(lon + Math.toDegrees(east), 360);
        return Cell.of(Math.clamp(Math.toDegrees(to), -Cell.MOST_LAT, Cell.MOST_LAT), turned);
    }
}
