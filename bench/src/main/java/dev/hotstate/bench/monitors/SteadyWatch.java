package dev.hotstate.bench.monitors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.bench.drill.Percentiles;
import dev.hotstate.bench.drill.Report;
import dev.hotstate.bench.drill.ServerProcess;
import dev.hotstate.bench.drill.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Many monitors watched by one server for an interval. Before it, the schedule in Redis says when each is due in it; the
 * target notes when each was asked: so what is measured from outside is the time from the one to the other, the connection
 * included.
 */
public final class SteadyWatch {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** What is due in the last moment of the interval may still be done. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final String ROWS = "SELECT count(*) FROM monitors_results";

    private final Report report;
    private final int monitors;
    private final int seconds;
    private final String subject;

    public SteadyWatch(Report report, int monitors, int seconds) {
        this.report = report;
        this.monitors = monitors;
        this.seconds = seconds;
        this.subject = monitors + " monitors every " + seconds + " s";
    }

    public void measure() {
        try (Site site = new Site();
                Responder target = new Responder(monitors);
                ServerProcess server = site.serve(List.of());
                Api api = new Api(server.url())) {
            WatchedJvm jvm = new WatchedJvm(server.pid(), api);
            Use empty = Use.of(site, jvm, target);
            long emptyHeap = jvm.liveHeap();
            settle(site, target, api);

            Map<String, Long> dues = site.dues();
            target.forget();
            long begin = Site.CLOCK.millis();
            Use before = Use.of(site, jvm, target);
            Waiting.pause(Duration.ofSeconds(seconds));
            Use after = Use.of(site, jvm, target);
            JsonNode summary = api.json("/monitors/summary");
            Waiting.pause(GRACE);

            punctuality(dues, begin, target, summary);
            costs(before, after);
            Waiting.until(GRACE, () -> site.count(ROWS) >= target.asked());
            tell("history_rows", "rows/check", (double) site.count(ROWS) / target.asked());
            tell("redis_memory", "bytes/monitor", (double) (after.redisBytes - empty.redisBytes) / monitors);
            tell("heap", "bytes/monitor", (double) (jvm.liveHeap() - emptyHeap) / monitors);
        }
    }

    /** Until each is scheduled and was checked, so that the interval which is measured is like any later one. */
    private void settle(Site site, Responder target, Api api) {
        long begin = System.nanoTime();
        Definitions.apply(api, monitors, monitor -> Definitions.http(monitor, target.url(monitor), seconds));
        report.say(
                monitors + " monitors were applied in " + since(begin) + " s; each is checked once before we measure");
        Waiting.require("all are scheduled", PATIENCE, () -> site.scheduled() == monitors);
        Waiting.require("all were checked", PATIENCE.plusSeconds(seconds), target::heardFromAll);
        boolean caughtUp = Waiting.until(Duration.ofSeconds(2L * seconds), () -> site.longestWait() < 500);
        report.say(
                caughtUp
                        ? "nothing that is due has waited for 500 ms any more; that took " + since(begin) + " s"
                        : "it does not keep up: after " + since(begin)
                                + " s what is due still waits, and the lag tells of that");
        report.say("now measuring for " + seconds + " s");
    }

    private static long since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin).toSeconds();
    }

    private void punctuality(Map<String, Long> dues, long begin, Responder target, JsonNode summary) {
        long end = begin + seconds * 1_000L;
        List<Map.Entry<String, Long>> wanted = dues.entrySet().stream()
                .filter(due -> due.getValue() >= begin && due.getValue() < end)
                .toList();
        double[] lags = wanted.stream()
                .mapToLong(due -> lag(due, target))
                .filter(lag -> lag >= 0)
                .mapToDouble(lag -> lag)
                .toArray();
        Percentiles lag = new Percentiles(lags);
        tell("due_checks_done", "%", 100.0 * lags.length / wanted.size());
        tell("lag_measured_p50", "ms", lag.at(0.5));
        tell("lag_measured_p99", "ms", lag.at(0.99));
        tell("lag_measured_max", "ms", lag.at(1));
        tell("lag_own_p50", "ms", summary.at("/lag_ms/p50").asDouble());
        tell("lag_own_p99", "ms", summary.at("/lag_ms/p99").asDouble());
    }

    /** Negative where nobody asked. A check that begins within the millisecond of its time may seem to be early. */
    private static long lag(Map.Entry<String, Long> due, Responder target) {
        long asked = target.firstAsked(Definitions.number(due.getKey()));
        return asked == 0 ? -1 : Math.max(0, asked - due.getValue());
    }

    private void costs(Use before, Use after) {
        double checks = after.checks - before.checks;
        tell(
                "checks",
                "checks/s",
                checks / Duration.between(before.at, after.at).toMillis() * 1_000);
        tell("cpu_server", "us/check", (after.jvmMicros - before.jvmMicros) / checks);
        tell("cpu_redis", "us/check", (after.redisMicros - before.redisMicros) / checks);
        tell("cpu_postgres", "us/check", (after.postgresMicros - before.postgresMicros) / checks);
    }

    private void tell(String metric, String unit, double value) {
        report.measured(subject, metric, unit, value);
    }

    /** What was used so far. */
    private record Use(
            Instant at, long checks, double jvmMicros, double redisMicros, double postgresMicros, long redisBytes) {
        static Use of(Site site, WatchedJvm jvm, Responder target) {
            return new Use(
                    Site.CLOCK.instant(),
                    target.asked(),
                    jvm.cpu().toNanos() / 1e3,
                    site.redisCpuMicros(),
                    site.postgresCpuMicros(),
                    site.redisBytes());
        }
    }
}
