package dev.hotstate.server.drivers;

import dev.hotstate.drivers.Region;
import dev.hotstate.server.http.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A region as it is sent: its outline, or a box. */
record RegionBody(
        @Nullable List<@Nullable List<@Nullable Double>> shape,
        @Nullable BoxBody box) {
    Region region(String id) {
        new Check()
                .that((shape == null) != (box == null), "", "give either shape or box")
                .refuse();
        return box == null ? new Region(id, points(Objects.requireNonNull(shape))) : box.region(id);
    }

    private static List<Region.Point> points(List<@Nullable List<@Nullable Double>> shape) {
        var check = new Check();
        var points = new ArrayList<Region.Point>();
        for (int i = 0; i < shape.size(); i++) {
            var point = shape.get(i);
            if (point == null || point.size() != 2 || point.contains(null)) {
                check.that(false, "shape[" + i + "]", "must be [lat, lon]");
            } else {
                points.add(new Region.Point(
                        Objects.requireNonNull(point.getFirst()), Objects.requireNonNull(point.getLast())));
            }
        }
        check.refuse();
        return points;
    }

    /** One whose west is greater than its east crosses the antimeridian. */
    private record BoxBody(
            @Nullable Double south,
            @Nullable Double west,
            @Nullable Double north,
            @Nullable Double east) {
        Region region(String id) {
            new Check()
                    .given(south, "box.south")
                    .given(west, "box.west")
                    .given(north, "box.north")
                    .given(east, "box.east")
                    .refuse();
            return Region.box(
                    id,
                    Objects.requireNonNull(south),
                    Objects.requireNonNull(west),
                    Objects.requireNonNull(north),
                    Objects.requireNonNull(east));
        }
    }
}
