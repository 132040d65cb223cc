package dev.hotstate.monitors.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * From which level each part of a grid is read: the coarsest whose periods fit between the edges and are settled, so that
 * ninety days are ninety rows and not 129,600. Every moment is covered once.
 */
final class Cover {
    private final Settled settled;
    private final Map<Level, List<Span>> spans = new EnumMap<>(Level.class);

    /** Whole periods of a level that follow each other, each of them within one cell. */
    record Span(long from, long to) {}

    private Cover(Settled settled) {
        this.settled = settled;
    }

    static Cover of(Grid grid, Settled settled) {
        Cover cover = new Cover(settled);
        for (int cell = 0; cell < grid.cells(); cell++) {
            for (long at = grid.from(cell); at < grid.to(cell); ) {
                at = cover.next(at, grid.to(cell));
            }
        }
        return cover;
    }

    List<Span> spans(Level level) {
        return spans.getOrDefault(level, List.of());
    }

    private long next(long at, long end) {
        Level level = level(at, end);
        long to = level == Level.RESULT ? endOfResults(at, end) : at + level.ms();
        append(spans.computeIfAbsent(level, none -> new ArrayList<>()), new Span(at, to));
        return to;
    }

    private long endOfResults(long at, long end) {
        Level unit = settled.hour(Level.HOUR.floor(at)) ? Level.MINUTE : Level.HOUR;
        return Math.min(end, unit.floor(at) + unit.ms());
    }

    private Level level(long at, long end) {
        if (fits(Level.DAY, at, end) && settled.day(at)) {
            return Level.DAY;
        }
        if (fits(Level.HOUR, at, end) && settled.hour(at)) {
            return Level.HOUR;
        }
        return fits(Level.MINUTE, at, end) && settled.hour(Level.HOUR.floor(at)) ? Level.MINUTE : Level.RESULT;
    }

    private static boolean fits(Level level, long at, long end) {
        return level.begins(at) && at + level.ms() <= end;
    }

    private static void append(List<Span> spans, Span span) {
        Span last = spans.isEmpty() ? null : spans.getLast();
        if (last != null && last.to() == span.from()) {
            spans.set(spans.size() - 1, new Span(last.from(), span.to()));
        } else {
            spans.add(span);
        }
    }
}
