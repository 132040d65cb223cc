package dev.hotstate.bench.jobs;

import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.work.WorkerOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The same work on both sides: what is added is not timed, what is worked off is. */
public final class JobSides {
    private static final int CONCURRENCY = 32;
    private static final int CHILDREN = 10;
    private static final WorkerOptions USUAL = WorkerOptions.named("bench").withConcurrency(CONCURRENCY);

    /** One alone takes milliseconds, of which anything that disturbs it takes its share. */
    private static final int CHAINS = 5;

    private JobSides() {}

    /** Tasks a second that are done and archived. */
    public static double flowsOf(JobSite site, int count) {
        site.submit(Stream.generate(() -> Shapes.flow(CHILDREN)).limit(count).toList());
        AtomicInteger done = new AtomicInteger();
        JobSite.Worked worked = site.workOff(USUAL, context -> Integer.toString(done.incrementAndGet()));
        return perSecond(count, worked.archived());
    }

    public static double flowsOf(Bullmq bullmq, int count) {
        return perSecond(count, bullmq.flows(count, CHILDREN, CONCURRENCY).worked());
    }

    /** Microseconds from task to task, from the worker's start to the last task's end; the median of some chains. */
    public static double hopOf(JobSite site, int length) {
        return hopOf(site, length, USUAL);
    }

    /** The same on virtual threads only: without them being chosen, a task that runs alone has a thread of the system's. */
    public static double hopOnVirtualThreadsOf(JobSite site, int length) {
        return hopOf(site, length, USUAL.withThreads(Thread.ofVirtual().factory()));
    }

    private static double hopOf(JobSite site, int length, WorkerOptions options) {
        return median(() -> {
            site.submit(List.of(Shapes.chain(length)));
            return site.workOff(options, context -> "done").ended().toNanos() / 1e3 / length;
        });
    }

    /** Microseconds from task to task, from the worker's start to the last task's end; the median of some chains. */
    public static double hopOf(Bullmq bullmq, int length) {
        return median(() -> bullmq.chain(length, CONCURRENCY).toNanos() / 1e3 / length);
    }

    /** One large job: how long until it was submitted, and how long until it was done and archived. */
    public static Large largeOf(JobSite site, int layers, int width) {
        JobSpec job = Shapes.layers(layers, width);
        long begin = System.nanoTime();
        site.submit(List.of(job));
        Duration submitted = Duration.ofNanos(System.nanoTime() - begin);
        return new Large(
                submitted,
                site.workOff(USUAL.withConcurrency(100), context -> "done").archived());
    }

    public record Large(Duration submitted, Duration worked) {}

    private static double median(DoubleSupplier chain) {
        return DoubleStream.generate(chain)
                .limit(CHAINS)
                .sorted()
                .skip(CHAINS / 2)
                .findFirst()
                .orElseThrow();
    }

    private static double perSecond(int flows, Duration worked) {
        return flows * (CHILDREN + 1) / (worked.toNanos() / 1e9);
    }
}
