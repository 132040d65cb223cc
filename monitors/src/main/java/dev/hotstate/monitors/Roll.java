package dev.hotstate.monitors;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All live definitions at one moment, by name and id, with the text that is searched. Immutable: the next one is merged
 * from this one and what has changed, in one pass and without sorting the rest again.
 */
final class Roll {
    static final Roll EMPTY = new Roll(List.of());

    private static final Comparator<Line> BY_NAME =
            Comparator.comparing(Line::name).thenComparing(Line::id);

    private final List<Line> lines;

    private Roll(List<Line> lines) {
        this.lines = lines;
    }

    /**
     * @param name in lower case, as it is sorted
     * @param text what a search looks at. The target has no password in it, so nobody finds that by guessing
     */
    record Line(String name, String id, String text, Definition definition) {
        static Line of(Definition definition) {
            var monitor = definition.monitor();
            String text = String.join("\n", monitor.name(), monitor.id(), monitor.shownTarget())
                    + "\n"
                    + String.join("\n", monitor.tags());
            return new Line(
                    monitor.name().toLowerCase(Locale.ROOT), monitor.id(), text.toLowerCase(Locale.ROOT), definition);
        }
    }

    /** @param changes at most one of each id; a deleted one is taken off */
    Roll with(Collection<Definition> changes) {
        var changed = new HashMap<String, Definition>();
        changes.forEach(definition -> changed.put(definition.id(), definition));
        var fresh = changed.values().stream()
                .filter(definition -> !definition.deleted())
                .map(Line::of)
                .sorted(BY_NAME)
                .toList();
        return new Roll(merged(fresh, changed));
    }

    private List<Line> merged(List<Line> fresh, Map<String, Definition> changed) {
        var merged = new ArrayList<Line>(lines.size() + fresh.size());
        int next = 0;
        for (Line line : lines) {
            if (changed.containsKey(line.id())) {
                continue;
            }
            while (next < fresh.size() && BY_NAME.compare(fresh.get(next), line) < 0) {
                merged.add(fresh.get(next++));
            }
            merged.add(line);
        }
        merged.addAll(fresh.subList(next, fresh.size()));
        return merged;
    }

    int size() {
        return lines.size();
    }

    Stream<Definition> select(Filter filter, @Nullable String cursor) {
        return lines(filter, cursor).map(Line::definition);
    }

    Stream<Line> lines(Filter filter, @Nullable String cursor) {
        String tag = filter.tag();
        String q = filter.q();
        return lines.subList(cursor == null ? 0 : after(cursor), lines.size()).stream()
                .filter(line -> q == null || line.text().contains(q))
                .filter(line ->
                        tag == null || line.definition().monitor().tags().contains(tag));
    }

    static String cursor(Definition last) {
        String place = last.monitor().name().toLowerCase(Locale.ROOT) + "\n" + last.id();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(place.getBytes(UTF_8));
    }

    /** Where the first line after that place is, whether or not one is at it still. */
    private int after(String cursor) {
        String[] place = place(cursor);
        int low = 0;
        int high = lines.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            Line line = lines.get(middle);
            int order = line.name().compareTo(place[0]);
            if (order < 0 || order == 0 && line.id().compareTo(place[1]) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static String[] place(String cursor) {
        try {
            String[] place = new String(Base64.getUrlDecoder().decode(cursor), UTF_8).split("\n", -1);
            if (place.length == 2) {
                return place;
            }
        } catch (IllegalArgumentException garbled) {
            // Told below, like any other text that is none.
        }
        throw new IllegalArgumentException("cursor must be one that a list has answered");
    }
}
