package dev.hotstate.server.monitors;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.hotstate.monitors.Maintenance;
import dev.hotstate.monitors.Window;
import dev.hotstate.monitors.WindowDocument;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Times in which checks go on and nobody is alerted. */
final class MaintenanceCalls {
    private final Maintenance maintenance;
    private final InstantSource clock;

    MaintenanceCalls(Maintenance maintenance, InstantSource clock) {
        this.maintenance = maintenance;
        this.clock = clock;
    }

    /** In the order in which they were made; a cursor is the last id before. */
    Answer list(Request request) {
        var page = request.page();
        List<Window> all = maintenance.list();
        int from = page.cursor()
                .map(cursor -> 1 + all.stream().map(Window::id).toList().indexOf(cursor))
                .orElse(0);
        if (from == 0 && page.cursor().isPresent()) {
            throw Problem.invalid("cursor", "must be the next_cursor of an earlier answer, whose last window still is");
        }
        var found = all.subList(from, Math.min(all.size(), from + page.limit() + 1));
        var listing = Listing.of(found, page, Window::id);
        return Answer.ok(new Listing<>(listing.items().stream().map(this::shown).toList(), listing.nextCursor()));
    }

    Answer create(Request request) {
        Window window = request.document(WindowDocument.class).toWindow();
        new Check().id(window.id(), "id").refuse();
        if (!maintenance.create(window)) {
            throw Problem.conflict("There is a maintenance window \"" + window.id() + "\" already.");
        }
        return Answer.created("/maintenance/" + window.id(), shown(window));
    }

    Answer delete(Request request) {
        if (!maintenance.delete(request.id("id"))) {
            throw Problem.notFound("There is no maintenance window \"" + request.path("id") + "\".");
        }
        return Answer.noContent();
    }

    private WindowShown shown(Window window) {
        return new WindowShown(
                WindowDocument.of(window),
                maintenance.isOpen(window),
                window.schedule().nextChange(clock.instant()).orElse(null));
    }

    /**
     * @param active whether it is in force now
     * @param nextChangeAt when it begins or ends next; null when it is over
     */
    private record WindowShown(
            @JsonUnwrapped WindowDocument window,
            boolean active,
            @Nullable Instant nextChangeAt) {}
}
