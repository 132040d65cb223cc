package dev.hotstate.bench.jobs.drill;

import dev.hotstate.bench.drill.BrokenPromiseException;
import dev.hotstate.bench.drill.Report;
import dev.hotstate.bench.drill.Waiting;
import dev.hotstate.bench.jobs.drill.HttpHands.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Random jobs are submitted and done while everything fails that they stand on. In the end each must have ended, as it
 * must, with its effects once.
 */
public final class Drill {
    /** From the last calamity to the end of the last job. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** What nobody lets go of at once is found by a chore within two minutes or so. */
    private static final Duration UNTIL_RETIRED = Duration.ofMinutes(4);

    private final Report report;
    private final boolean onCluster;
    private final Duration length;
    private final boolean thorough;
    private final long seed;

    /**
     * @param length for how long jobs are submitted and calamities happen
     * @param thorough whether to wait until ended jobs have their time to live, which takes minutes
     */
    public Drill(Report report, boolean onCluster, Duration length, boolean thorough, long seed) {
        this.report = report;
        this.onCluster = onCluster;
        this.length = length;
        this.thorough = thorough;
        this.seed = seed;
    }

    /** @throws BrokenPromiseException with all that is wrong in the end */
    public void run() {
        report.say("jobs are submitted for " + length.toSeconds() + " s, seed " + seed);
        try (DrillSite site = new DrillSite(onCluster);
                Calamities calamities = new Calamities(site, seed, report);
                Calls calls = new Calls(calamities.servers)) {
            run(site, calamities, calls);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", hurried);
        }
    }

    private void run(DrillSite site, Calamities calamities, Calls calls) throws InterruptedException {
        Submitter submitter = new Submitter(calls, seed);
        List<String> faults = new ArrayList<>();
        HttpHands hands = new HttpHands(calls);
        Leftovers leftovers = new Leftovers(site.redis);
        try (hands) {
            hands.begin();
            calamities.begin();
            submitter.submitFor(length);
            calamities.end();
            report.say("all is in order again; " + Books.unfinished(site.database) + " jobs have not ended");
            long calm = System.nanoTime();
            Waiting.until(PATIENCE, () -> Books.unfinished(site.database) == 0);
            report.measured("jobs", "all_ended_after", "s", (System.nanoTime() - calm) / 1e9);
            if (!Waiting.until(PATIENCE, () -> leftovers.waiting().isEmpty())) {
                leftovers.waiting().forEach(left -> faults.add("stuck: " + left));
            }
        }
        if (thorough && !Waiting.until(UNTIL_RETIRED, () -> leftovers.kept().isEmpty())) {
            leftovers.kept().forEach(left -> faults.add("kept: " + left));
        }
        submitter.refused().forEach(refused -> faults.add("not accepted: " + refused));
        Books books = Books.read(site.database);
        faults.addAll(Verdict.of(submitter.accepted(), books, hands.told()).faults());
        tell(calamities, submitter, books, hands.told());
        judge(site, faults);
    }

    private void tell(Calamities calamities, Submitter submitter, Books books, List<Told> told) {
        calamities.counts().forEach((what, times) -> count(what, "count", times));
        count("jobs", "accepted", submitter.accepted().size());
        count("jobs", "submitted_again", submitter.repeated());
        count(
                "tasks",
                "ended",
                books.tasks().values().stream().mapToLong(tasks -> tasks.size()).sum());
        count("handlers", "began", books.attempts().size());
        count("handlers", "effects", books.effects().size());
        count("ends over HTTP", "counted", told.stream().filter(Told::counted).count());
        count("ends over HTTP", "late", told.stream().filter(Told::isLate).count());
    }

    private void count(String what, String metric, long times) {
        report.measured(what, metric, "times", times);
    }

    private void judge(DrillSite site, List<String> faults) {
        if (faults.isEmpty()) {
            report.say("verdict: kept. Every job ended as it must, each effect is there once, no late end counted");
            return;
        }
        faults.forEach(fault -> report.say("fault: " + fault));
        throw new BrokenPromiseException("verdict: broken in " + faults.size() + " places with seed " + seed
                + "; the logs are in " + site.keepLogs());
    }
}
