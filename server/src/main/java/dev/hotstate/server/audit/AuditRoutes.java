package dev.hotstate.server.audit;

import dev.hotstate.audit.report.ReportJson;
import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Page;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** {@code /audit}: the server's Redis held against its declarations, now and over time. */
final class AuditRoutes implements Routes {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration EVER = Duration.ofDays(3_650);

    private final Audits audits;
    private final PostgresAudits store;
    private final InstantSource clock;

    AuditRoutes(Audits audits, PostgresAudits store, InstantSource clock) {
        this.audits = audits;
        this.store = store;
        this.clock = clock;
    }

    @Override
    public String feature() {
        return "audit";
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.post("/audit", Access.OPERATOR, this::run),
                Route.get("/audit", Access.VIEWER, this::last),
                Route.get("/audit/history", Access.VIEWER, this::history));
    }

    private Answer run(Request request) throws InterruptedException {
        var begun = audits.begin();
        if (begun.isEmpty()) {
            return underWay();
        }
        try {
            return report(ReportJson.write(begun.get().get(PATIENCE.toSeconds(), TimeUnit.SECONDS)));
        } catch (TimeoutException longer) {
            return underWay();
        } catch (ExecutionException | CancellationException failed) {
            throw Problem.unavailable("The audit was not made: Redis or PostgreSQL did not answer.", SOON);
        }
    }

    private static Answer underWay() {
        return Answer.json(202, Map.of("status", "running"));
    }

    private Answer last(Request request) {
        return store.latest()
                .map(AuditRoutes::report)
                .orElseThrow(() -> Problem.notFound("No audit was made yet. POST /audit makes one."));
    }

    private static Answer report(String json) {
        return Answer.of(200, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    private Answer history(Request request) {
        var page = request.page();
        var now = clock.instant();
        var to = reachable(request.queryInstant("to").orElse(now), now);
        var from = reachable(request.queryInstant("from").orElseGet(() -> now.minus(EVER)), now);
        if (from.isAfter(to)) {
            throw Problem.invalid("from", "must not be after to");
        }
        var found = store.history(from, to, before(page), page.limit() + 1);
        return Answer.ok(Listing.of(found, page, summary -> String.valueOf(summary.id())));
    }

    private static long before(Page page) {
        try {
            return page.cursor().map(Long::parseLong).orElse(Long.MAX_VALUE);
        } catch (NumberFormatException none) {
            throw Problem.invalid("cursor", "must be the next_cursor of an earlier answer");
        }
    }

    /** PostgreSQL knows fewer years than Java. */
    private static Instant reachable(Instant asked, Instant now) {
        if (asked.isBefore(now.minus(EVER))) {
            return now.minus(EVER);
        }
        return asked.isAfter(now.plus(EVER)) ? now.plus(EVER) : asked;
    }
}
