package dev.hotstate.bench.monitors;

import dev.hotstate.bench.drill.BrokenPromiseException;
import dev.hotstate.bench.drill.Percentiles;
import dev.hotstate.bench.drill.Report;
import dev.hotstate.bench.drill.Waiting;
import dev.hotstate.bench.monitors.ScriptedTargets.Script;
import dev.hotstate.bench.monitors.Verdict.Incident;
import dev.hotstate.monitors.alert.AlertOptions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two servers watch targets that go down and come back, while everything they stand on fails. In the end there must be one
 * incident an outage, opened, closed and told.
 */
public final class Drill {
    private static final int SERVERS = 2;
    private static final int MONITORS = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** A target is asked about every two seconds. */
    private static final Script SCRIPT = new Script(Duration.ofSeconds(35), Duration.ofSeconds(60), 6);

    private static final String UNSENT =
            "SELECT count(*) FROM monitors_deliveries WHERE status NOT IN ('delivered', 'dropped')";
    private static final String OPEN = "SELECT count(*) FROM monitors_incidents WHERE ended_at IS NULL";

    private final Report report;
    private final Duration length;
    private final long seed;

    /** @param length for how long outages begin; it takes some minutes more until all are over and told */
    public Drill(Report report, Duration length, long seed) {
        this.report = report;
        this.length = length;
        this.seed = seed;
    }

    /** @throws BrokenPromiseException with all that is wrong in the end */
    public void run() {
        report.say(MONITORS + " monitors, " + SERVERS + " servers, outages begin for " + length.toSeconds()
                + " s, seed " + seed);
        try (Site site = new Site();
                ScriptedTargets targets = new ScriptedTargets(MONITORS, SCRIPT, seed);
                AlertLog alerts = new AlertLog();
                Calamities calamities = new Calamities(site, alerts, SERVERS, seed, report)) {
            define(calamities.url(), targets, alerts);
            targets.begin();
            calamities.begin();
            Waiting.pause(length);
            targets.calmDown();
            Waiting.require("every target is up again", PATIENCE, targets::allUp);
            calamities.end();
            report.say("every target is up again, and nothing happens any more");
            Waiting.until(PATIENCE, () -> isQuiet(site));
            int underWay = calamities.servers.kills() * AlertOptions.Pace.DEFAULTS.perChannel();
            Verdict verdict = Verdict.of(targets.journal(), incidents(site), alerts.messages(), underWay);
            tell(targets, alerts, calamities, verdict);
            judge(site, verdict);
        }
    }

    private static void define(String url, ScriptedTargets targets, AlertLog alerts) {
        try (Api api = new Api(url)) {
            api.put("/channels/hook", Map.of("type", "webhook", "url", alerts.url()));
            Definitions.apply(api, MONITORS, monitor -> document(monitor, targets.url(monitor)));
            Waiting.require(
                    "all are up",
                    PATIENCE,
                    () -> api.json("/monitors/summary").path("up").asInt() == MONITORS);
        }
    }

    /** The timeout is long, so that a machine which stands still for a moment is no outage. */
    private static Map<String, Object> document(int monitor, String url) {
        Map<String, Object> document = new HashMap<>(Definitions.http(monitor, url, 2));
        document.put("timeout", "10s");
        document.put("retries", 1);
        document.put("retry_interval", "1s");
        document.put("alerts", List.of("hook"));
        return document;
    }

    private static boolean isQuiet(Site site) {
        return site.count(OPEN) == 0 && site.unsettled() == 0 && site.count(UNSENT) == 0;
    }

    private static List<Incident> incidents(Site site) {
        List<Incident> incidents = new ArrayList<>();
        try (Connection connection = site.database.connect();
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery(
                                "SELECT id, monitor_id, started_at, ended_at FROM monitors_incidents ORDER BY id")) {
            while (rows.next()) {
                Timestamp ended = rows.getTimestamp("ended_at");
                incidents.add(new Incident(
                        rows.getLong("id"),
                        Definitions.number(rows.getString("monitor_id")),
                        rows.getTimestamp("started_at").toInstant(),
                        ended == null ? null : ended.toInstant()));
            }
            return incidents;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void tell(ScriptedTargets targets, AlertLog alerts, Calamities calamities, Verdict verdict) {
        count("servers killed", calamities.servers.kills());
        count("starts that failed", calamities.servers.failedStarts());
        count("Redis emptied", calamities.flushes.get());
        count("PostgreSQL paused", calamities.pauses.get());
        count("outages", targets.journal().size());
        count("messages", alerts.messages().size());
        count("messages taken twice", verdict.duplicates());
        delays("opened_after", verdict.openedAfterMs());
        delays("told_after", verdict.toldAfterMs());
    }

    private void count(String what, int times) {
        report.measured(what, "count", "times", times);
    }

    private void delays(String metric, List<Double> millis) {
        if (!millis.isEmpty()) {
            Percentiles delays = new Percentiles(
                    millis.stream().mapToDouble(value -> value / 1_000).toArray());
            report.measured("outages", metric + "_p50", "s", delays.at(0.5));
            report.measured("outages", metric + "_p99", "s", delays.at(0.99));
            report.measured("outages", metric + "_max", "s", delays.at(1));
        }
    }

    private void judge(Site site, Verdict verdict) {
        if (verdict.faults().isEmpty()) {
            report.say("verdict: kept. One incident an outage, opened, closed and told; " + verdict.duplicates()
                    + " messages came again, each with its key");
            return;
        }
        verdict.faults().forEach(fault -> report.say("fault: " + fault));
        throw new BrokenPromiseException("verdict: broken in "
                + verdict.faults().size() + " places with seed " + seed + "; the servers' log is " + site.keepLog());
    }
}
