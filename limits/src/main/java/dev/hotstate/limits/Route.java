package dev.hotstate.limits;

import dev.hotstate.core.Key;
import java.util.ArrayList;
import java.util.List;

/**
 * The checks of a call as the script takes them: those that share a key stand side by side, so that it is read and written
 * once for all of them.
 *
 * @param stops the checks, by where they stand in the call
 * @param joins a bit for each stop whose key is that of the one before
 * @param keys one for each stop that joins no other
 */
record Route(List<Target> targets, int[] stops, int joins, List<Key> keys) {

    static Route of(List<Target> targets) {
        int[] stops = new int[targets.size()];
        List<Key> keys = new ArrayList<>(1);
        int stop = 0;
        int joins = 0;
        int placed = 0;
        for (int i = 0; i < stops.length; i++) {
            if ((placed & 1 << i) == 0) {
                keys.add(targets.get(i).key());
                stops[stop++] = i;
                for (int j = i + 1; j < stops.length; j++) {
                    if (targets.get(j).sharesKeyWith(targets.get(i))) {
                        placed |= 1 << j;
                        joins |= 1 << stop;
                        stops[stop++] = j;
                    }
                }
            }
        }
        return new Route(targets, stops, joins, keys);
    }

    int size() {
        return stops.length;
    }

    Target target(int stop) {
        return targets.get(stops[stop]);
    }

    boolean joins(int stop) {
        return (joins & 1 << stop) != 0;
    }

    /** Whether it leads over the same rules in the same way, of whomever. */
    boolean hasShapeOf(Route other) {
        if (joins != other.joins || size() != other.size()) {
            return false;
        }
        for (int i = 0; i < size(); i++) {
            if (target(i).terms() != other.target(i).terms()) {
                return false;
            }
        }
        return true;
    }
}
