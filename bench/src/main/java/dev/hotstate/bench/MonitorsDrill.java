package dev.hotstate.bench;

import dev.hotstate.bench.monitors.Drill;
import java.time.Duration;

/** Whether monitors keep their word while everything they stand on fails. */
final class MonitorsDrill implements Benchmark {
    @Override
    public String name() {
        return "drill-monitors";
    }

    @Override
    public String about() {
        return "2 servers, 200 monitors, kill -9, FLUSHALL, PostgreSQL paused, a broken webhook"
                + " (must: one incident an outage, opened, closed, no alert lost); only when named";
    }

    @Override
    public boolean onlyWhenNamed() {
        return true;
    }

    @Override
    public void run(Run run) {
        new Drill(run.report(), run.quick() ? Duration.ofSeconds(45) : Duration.ofMinutes(3), run.seed()).run();
    }
}
