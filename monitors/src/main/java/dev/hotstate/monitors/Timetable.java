package dev.hotstate.monitors;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Windows, and which of them are open. To ask each of a thousand cron expressions at every check would cost more than the
 * check, so the answer is kept until the first of them opens or closes; and then only those are asked that may have.
 */
final class Timetable {
    private final List<Window> windows;
    private volatile Moment moment;

    Timetable(List<Window> windows) {
        this.windows = List.copyOf(windows);
        this.moment = new Moment(Instant.MIN, Instant.MIN, List.of(), List.of());
    }

    /** What is so from the one instant on and until before the other. */
    private record Moment(Instant from, Instant until, List<Span> spans, List<Window> open) {
        boolean has(Instant at) {
            return !at.isBefore(from) && at.isBefore(until);
        }
    }

    private record Span(boolean open, Instant until) {}

    List<Window> windows() {
        return windows;
    }

    List<Window> openAt(Instant at) {
        Moment known = moment;
        if (known.has(at)) {
            return known.open();
        }
        Moment next = look(at, known);
        // Someone who asks about the past is answered, but those who ask about the present do not start over for it.
        if (at.isAfter(known.from())) {
            moment = next;
        }
        return next.open();
    }

    /** Empty if none will ever open or close again. */
    Optional<Instant> nextChange(Instant after) {
        Moment known = moment;
        Instant until = known.has(after) ? known.until() : look(after, known).until();
        return Optional.of(until).filter(Instant.MAX::isAfter);
    }

    private Moment look(Instant at, Moment known) {
        boolean later = !at.isBefore(known.from()) && known.spans().size() == windows.size();
        var spans = new ArrayList<Span>(windows.size());
        var open = new ArrayList<Window>();
        Instant until = Instant.MAX;
        for (int i = 0; i < windows.size(); i++) {
            Span old = later ? known.spans().get(i) : null;
            Span span = old != null && at.isBefore(old.until()) ? old : span(windows.get(i), at);
            spans.add(span);
            until = span.until().isBefore(until) ? span.until() : until;
            if (span.open()) {
                open.add(windows.get(i));
            }
        }
        return new Moment(at, until, List.copyOf(spans), List.copyOf(open));
    }

    private static Span span(Window window, Instant at) {
        return new Span(
                window.schedule().isOpen(at), window.schedule().nextChange(at).orElse(Instant.MAX));
    }
}
