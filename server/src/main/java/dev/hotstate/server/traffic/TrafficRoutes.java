package dev.hotstate.server.traffic;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import dev.hotstate.traffic.Line;
import dev.hotstate.traffic.Traffic;
import dev.hotstate.traffic.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** {@code /traffic}: how busy the fleet is, and the door for applications that report to this server. */
final class TrafficRoutes implements Routes {
    private static final Duration OTHER_HOURS = Duration.ofHours(23);
    private static final Duration EVER = Duration.ofDays(3_650);
    private static final List<String> WINDOWS =
            Arrays.stream(Window.values()).map(Window::toString).toList();

    private final Traffic traffic;
    private final Hours hours;
    private final InstantSource clock;

    TrafficRoutes(Traffic traffic, Hours hours, InstantSource clock) {
        this.traffic = traffic;
        this.hours = hours;
        this.clock = clock;
    }

    @Override
    public String feature() {
        return "traffic";
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get("/traffic", Access.VIEWER_OR_AGENT, this::fleet),
                Route.get("/traffic/endpoints", Access.VIEWER_OR_AGENT, this::endpoints),
                Route.get("/traffic/instances", Access.VIEWER_OR_AGENT, this::instances),
                Route.get("/traffic/series", Access.VIEWER_OR_AGENT, this::series),
                Route.get("/traffic/hourly", Access.VIEWER_OR_AGENT, this::hourly),
                Route.get("/traffic/endpoint", Access.VIEWER_OR_AGENT, this::endpoint),
                Route.post("/traffic/requests", Access.OPERATOR_OR_AGENT, this::report)
                        .withBodyOf(ReportedRequests.MOST_BYTES));
    }

    private Answer fleet(Request request) {
        return Answer.ok(Shown.fleet(traffic.summary(window(request, Window.HOUR))));
    }

    private Answer endpoints(Request request) {
        var lines = traffic.endpoints(window(request, Window.HOUR));
        return listed(request, lines, line -> Shown.line("endpoint", line));
    }

    private Answer instances(Request request) {
        var lines = new ArrayList<>(traffic.instances(window(request, Window.DAY)));
        var idle = new TreeSet<>(traffic.living());
        var living = Set.copyOf(idle);
        lines.forEach(line -> idle.remove(line.name()));
        idle.forEach(name -> lines.add(new Line(name, 0, 0, null, null, null, null, null)));
        return listed(request, lines, line -> Shown.instance(line, living.contains(line.name())));
    }

    private static Window window(Request request, Window otherwise) {
        return request.queryChoice("window", WINDOWS).map(Window::parse).orElse(otherwise);
    }

    private static Answer listed(Request request, List<Line> lines, Function<Line, Object> shown) {
        var sorted = lines.stream().sorted(LineOrder.of(request)).toList();
        var listing = Listing.ofRanking(sorted, request.page());
        return Answer.ok(new Listing<>(listing.items().stream().map(shown).toList(), listing.nextCursor()));
    }

    private Answer series(Request request) {
        var slots = traffic.series(window(request, Window.QUARTER));
        return Answer.ok(
                new Listing<>(slots.stream().map(line -> Shown.line("at", line)).toList(), null));
    }

    private Answer hourly(Request request) {
        var page = request.page();
        var now = clock.instant();
        var to = reachable(request.queryInstant("to").orElse(now), now);
        var from = reachable(request.queryInstant("from").orElseGet(() -> to.minus(OTHER_HOURS)), now);
        if (from.isAfter(to)) {
            throw Problem.invalid("from", "must not be after to");
        }
        var first = page.cursor().map(cursor -> after(cursor, now)).orElseGet(() -> from.truncatedTo(ChronoUnit.HOURS));
        var found = hours.between(first, to, page.limit() + 1);
        var listing = Listing.of(found, page, Line::name);
        var shown =
                listing.items().stream().map(line -> Shown.line("hour", line)).toList();
        return Answer.ok(new Listing<>(shown, listing.nextCursor()));
    }

    private static Instant after(String cursor, Instant now) {
        try {
            return reachable(Instant.parse(cursor), now).plusMillis(1);
        } catch (DateTimeParseException e) {
            throw Problem.invalid("cursor", "must be the next_cursor of an earlier answer");
        }
    }

    /** No hour is kept so far from now, and PostgreSQL knows fewer years than Java. */
    private static Instant reachable(Instant asked, Instant now) {
        if (asked.isBefore(now.minus(EVER))) {
            return now.minus(EVER);
        }
        return asked.isAfter(now.plus(EVER)) ? now.plus(EVER) : asked;
    }

    private Answer endpoint(Request request) {
        var method = request.query("method").orElseThrow(() -> Problem.invalid("method", "is required"));
        var route = request.query("route").orElseThrow(() -> Problem.invalid("route", "is required"));
        var check = new Check();
        var detail = check.checked("", () -> traffic.endpoint(method, route));
        check.refuse();
        return Objects.requireNonNull(detail)
                .map(known -> Answer.ok(Shown.endpoint(known)))
                .orElseThrow(() -> Problem.notFound("No request to this endpoint was ever counted."));
    }

    private Answer report(Request request) {
        var reported = request.body(ReportedRequests.class);
        var now = clock.instant();
        reported.check(now);
        return Answer.ok(Map.of("accepted", reported.recordTo(traffic, now)));
    }
}
