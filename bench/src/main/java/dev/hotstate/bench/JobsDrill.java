package dev.hotstate.bench;

import dev.hotstate.bench.jobs.drill.Drill;
import java.time.Duration;

/** Whether jobs keep their word while everything they stand on fails. */
final class JobsDrill implements Benchmark {
    private final boolean onCluster;

    private JobsDrill(boolean onCluster) {
        this.onCluster = onCluster;
    }

    static JobsDrill onOneRedis() {
        return new JobsDrill(false);
    }

    static JobsDrill onCluster() {
        return new JobsDrill(true);
    }

    @Override
    public String name() {
        return onCluster ? "drill-jobs-cluster" : "drill-jobs";
    }

    @Override
    public String about() {
        return "2 servers, 3 workers, random jobs, kill -9, FLUSHALL, PostgreSQL paused"
                + (onCluster ? ", masters failed over, slots moved" : "")
                + " (must: every job ends as it must, effects once, late ends refused); only when named";
    }

    @Override
    public boolean onlyWhenNamed() {
        return true;
    }

    @Override
    public void run(Run run) {
        Duration length = run.quick() ? Duration.ofSeconds(35) : Duration.ofMinutes(3);
        new Drill(run.report(), onCluster, length, !run.quick(), run.seed()).run();
    }
}
