package dev.hotstate.bench;

import dev.hotstate.bench.monitors.ShownPages;
import dev.hotstate.bench.monitors.SteadyWatch;

/** How many monitors one server watches in time, what that takes, and how quickly they are shown. */
final class MonitorsBenchmark implements Benchmark {
    @Override
    public String name() {
        return "monitors";
    }

    @Override
    public String about() {
        return "100,000 monitors a minute on one server, and 10,000 shown and scheduled anew"
                + " (goal: lag p99 below 500 ms; a page of 100 below 20 ms; a cold start below 5 s)";
    }

    @Override
    public void run(Run run) {
        run.say("one server process with the defaults but for per_host 500; Redis (AOF on, everysec) and PostgreSQL are"
                + " processes of their own; the target is in this process: GET over HTTP, one connection a check");
        run.say("no peer runs here; what others' users and authors state, not measured: Uptime Kuma about 500 monitors"
                + " (v1), a UI action in 15 to 45 s at 700 to 900 (v2), 11 minutes to start 1,000; Gatus 25 s for the"
                + " statuses of 292; blackbox_exporter about 1,000 probes a second and core; none publishes its lag");
        if (run.quick()) {
            new SteadyWatch(run.report(), 300, 3).measure();
            new ShownPages(run.report(), 300, 20).measure();
        } else {
            new SteadyWatch(run.report(), 100_000, 60).measure();
            new ShownPages(run.report(), 10_000, 300).measure();
        }
    }
}
