package dev.hotstate.server.monitors;

import dev.hotstate.monitors.Incidents;
import dev.hotstate.monitors.alert.Alerting;
import dev.hotstate.monitors.alert.PostgresOutbox;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Caller;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Page;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import dev.hotstate.server.monitors.IncidentShown.DeliveryShown;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** What went wrong, and what became of each message about it. */
final class IncidentCalls {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final List<String> STATUSES = List.of("dead");

    private final Incidents incidents;
    private final Alerting alerting;
    private final PostgresOutbox outbox;

    IncidentCalls(Incidents incidents, Alerting alerting, PostgresOutbox outbox) {
        this.incidents = incidents;
        this.alerting = alerting;
        this.outbox = outbox;
    }

    /** Newest first. */
    Answer list(Request request) {
        var page = request.page();
        var found = incidents.list(
                request.queryFlag("open"), request.query("monitor").orElse(null), before(page), page.limit() + 1);
        var listing = Listing.of(found, page, incident -> Long.toString(incident.id()));
        var stories = incidents.stories(listing.items());
        return Answer.ok(
                new Listing<>(stories.stream().map(IncidentShown.Whole::of).toList(), listing.nextCursor()));
    }

    Answer find(Request request) {
        return number(request).stream()
                .mapToObj(incidents::find)
                .flatMap(Optional::stream)
                .findFirst()
                .map(story -> Answer.ok(IncidentShown.Whole.of(story)))
                .orElseThrow(() -> unknown(request));
    }

    Answer acknowledge(Request request) {
        String by = request.caller().map(Caller::name).orElse("");
        return number(request).stream()
                .mapToObj(id -> incidents.acknowledge(id, by))
                .flatMap(Optional::stream)
                .findFirst()
                .map(story -> Answer.ok(IncidentShown.Whole.of(story)))
                .orElseThrow(() -> unknown(request));
    }

    /** Those that were given up, newest first; all others are shown with their incidents. */
    Answer deliveries(Request request) {
        var page = request.page();
        request.queryChoice("status", STATUSES);
        var found = outbox.dead(before(page), page.limit() + 1);
        var listing = Listing.of(found, page, delivery -> Long.toString(delivery.id()));
        return Answer.ok(
                new Listing<>(listing.items().stream().map(DeliveryShown::of).toList(), listing.nextCursor()));
    }

    Answer replay(Request request) {
        boolean replayed = number(request).stream().anyMatch(alerting::replay);
        if (!replayed) {
            throw Problem.conflict("There is no delivery \"" + shortened(request.path("id"))
                    + "\" that was given up: only such a one can be sent again.");
        }
        return Answer.noContent();
    }

    private static long before(Page page) {
        return page.cursor()
                .map(cursor -> {
                    if (!NUMBER.matcher(cursor).matches()) {
                        throw Problem.invalid("cursor", "must be the next_cursor of an earlier answer");
                    }
                    return Long.valueOf(cursor);
                })
                .orElse(Long.MAX_VALUE);
    }

    private static OptionalLong number(Request request) {
        String text = request.path("id");
        return NUMBER.matcher(text).matches() ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    private static Problem unknown(Request request) {
        return Problem.notFound("There is no incident \"" + shortened(request.path("id")) + "\".");
    }

    private static String shortened(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }
}
