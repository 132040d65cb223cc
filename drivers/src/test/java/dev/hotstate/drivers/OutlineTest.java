package dev.hotstate.drivers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.drivers.Region.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutlineTest {
    @Test
    void aBoxHoldsWhatIsBetweenItsSides() {
        Outline box = Outline.of(Region.box("box", 10, 20, 30, 40).shape());
        assertThat(box.contains(20, 30)).isTrue();
        assertThat(box.contains(9.9, 30)).isFalse();
        assertThat(box.contains(30.1, 30)).isFalse();
        assertThat(box.contains(20, 19.9)).isFalse();
        assertThat(box.contains(20, 40.1)).isFalse();
        assertThat(box.contains(20, -30)).isFalse();
    }

    @Test
    void aShapeMayCrossTheAntimeridian() {
        Outline box = Outline.of(Region.box("fiji", -20, 175, -15, -175).shape());
        assertThat(box.contains(-17, 178)).isTrue();
        assertThat(box.contains(-17, -178)).isTrue();
        assertThat(box.contains(-17, 180)).isTrue();
        assertThat(box.contains(-17, -180)).isTrue();
        assertThat(box.contains(-17, 0)).isFalse();
        assertThat(box.contains(-17, 174)).isFalse();
        assertThat(box.contains(-17, -174)).isFalse();

        Outline triangle = Outline.of(List.of(new Point(0, 179), new Point(0, -179), new Point(2, 180)));
        assertThat(triangle.contains(0.5, -179.8)).isTrue();
        assertThat(triangle.contains(0.5, 179.8)).isTrue();
        assertThat(triangle.contains(1.5, -179)).isFalse();
    }

    @Test
    void aBoxMayBeWiderThanHalfTheEarth() {
        Outline wide = Outline.of(Region.box("wide", -10, -170, 10, 170).shape());
        assertThat(wide.contains(0, 0)).isTrue();
        assertThat(wide.contains(0, 169)).isTrue();
        assertThat(wide.contains(0, 175)).isFalse();
        Outline all = Outline.of(Region.box("all", -85, -180, 85, 180).shape());
        assertThat(all.contains(0, 0)).isTrue();
        assertThat(all.contains(0, 179.9)).isTrue();
        assertThat(all.contains(0, -179.9)).isTrue();
    }

    @Test
    void twoRegionsThatShareASideHoldEachPointOfItOnce() {
        Outline west = Outline.of(Region.box("west", 0, 0, 10, 10).shape());
        Outline east = Outline.of(Region.box("east", 0, 10, 10, 20).shape());
        for (double lat = 0.5; lat < 10; lat += 0.37) {
            assertThat(west.contains(lat, 10) ^ east.contains(lat, 10)).isTrue();
        }
    }

    @Test
    void theSmallerOfTwoShapesHoldsAPointAndTiesGoById() {
        Region large = Region.box("large", 0, 0, 20, 20);
        Region small = Region.box("small", 5, 5, 10, 10);
        Region same = Region.box("same", 5, 5, 10, 10);
        Atlas atlas = new Atlas(1, List.of(charted(large, false), charted(small, false), charted(same, false)));
        assertThat(atlas.placeOf(Cell.of(7, 7)).tag()).isEqualTo("same");
        assertThat(atlas.placeOf(Cell.of(15, 15)).tag()).isEqualTo("large");
        assertThat(atlas.placeOf(Cell.of(-15, 15)).tag()).isEqualTo("default");

        Atlas later = new Atlas(2, List.of(charted(large, false), charted(small, false), charted(same, true)));
        assertThat(later.placeOf(Cell.of(7, 7)).tag()).isEqualTo("small");
        assertThat(later.partitions()).hasSize(4);
    }

    @Test
    void whatIsNoShapeIsRefusedByItsPoint() {
        assertRefused("shape", List.of(new Point(0, 0), new Point(1, 1)));
        assertRefused("shape", List.of(new Point(0, 0), new Point(1, 1), new Point(2, 2)));
        assertRefused("shape", List.of(new Point(80, 0), new Point(80, 120), new Point(80, -120)));
        assertRefused("shape[1][0]", List.of(new Point(0, 0), new Point(91, 1), new Point(2, 0)));
        assertRefused("shape[2][1]", List.of(new Point(0, 0), new Point(1, 1), new Point(2, Double.NaN)));
    }

    private static Atlas.Charted charted(Region region, boolean deleted) {
        return new Atlas.Charted(region, Outline.of(region.shape()), deleted);
    }

    private static void assertRefused(String field, List<Point> shape) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> Outline.of(shape))
                .satisfies(refused ->
                        assertThat(refused.flaws().getFirst().field()).isEqualTo(field));
    }
}
