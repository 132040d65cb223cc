package dev.hotstate.traffic;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Redis;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Request metrics of a fleet. Each instance counts in memory and brings its counts to Redis once a second; the figures here
 * are over all instances.
 *
 * <pre>{@code
 * var traffic = Traffic.start(redis, TrafficOptions.of("web-1", InstantSource.system()), Checkpoints.none());
 * traffic.recorder().record("GET", "/users/{id}", 200, took);
 * traffic.endpoints(Window.MINUTE);
 * }</pre>
 *
 * <p>What can be lost: the last second when an instance crashes ({@link #close} loses nothing); when Redis is lost, or an
 * old copy of it put back, what the totals grew by since the last {@link #checkpoint}, and the windows but for the slots
 * that run; the replication lag at
 * a failover. While Redis is away counting goes on in memory, and afterwards only the speeds of that time are missing.
 */
public final class Traffic implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Traffic.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final RedisTraffic state;
    private final Flusher flusher;
    private final Reading reading;
    private final Restoration restoration;
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable Thread ticker;

    private Traffic(Redis redis, TrafficOptions options, Checkpoints checkpoints) {
        this.state = new RedisTraffic(redis, options.endpoints());
        RedisFigures figures = new RedisFigures(redis);
        this.restoration = new Restoration(state, figures, checkpoints, options.clock());
        this.flusher = new Flusher(state, figures, options, restoration);
        this.reading = new Reading(figures, options.clock());
    }

    /** Starts counting, and flushing once a second. */
    public static Traffic start(Redis redis, TrafficOptions options, Checkpoints checkpoints) {
        Traffic traffic = idle(redis, options, checkpoints);
        traffic.ticker = Thread.ofVirtual().name("traffic-flusher").start(traffic::tick);
        return traffic;
    }

    /** Counts, and flushes only when it is told to. */
    static Traffic idle(Redis redis, TrafficOptions options, Checkpoints checkpoints) {
        return new Traffic(redis, options, checkpoints);
    }

    /** Counts the requests of this process. */
    public Recorder recorder() {
        return flusher.own();
    }

    /**
     * Counts the requests of another application that reports to this one. It is an instance for a minute after its last
     * report; beyond the cap of reporters it is {@code other}. Ask for it anew with each batch: one that was silent for an
     * hour is forgotten.
     *
     * @throws IllegalArgumentException when it is no name for an instance
     */
    public Recorder recorder(String instance) {
        return flusher.reporter(TrafficOptions.requireInstance(instance));
    }

    /**
     * Brings everything that was counted to Redis now.
     *
     * @throws HotstateException when that did not succeed; it is tried again with the next flush
     */
    public void flush() {
        flusher.flush(false);
    }

    /** The fleet now, with the response times of the last hour. */
    public Summary summary() {
        return summary(Window.HOUR);
    }

    /** @param times over which window the response times are */
    public Summary summary(Window times) {
        if (!reading.isAlive()) {
            restoration.runUnlessWhole();
        }
        return reading.summary(times);
    }

    /**
     * The fleet now, when its totals, connections or speed changed since somebody was last given them here. Of all
     * instances that ask one gets it, once a second at most.
     */
    public Optional<Summary> news() {
        return state.isNews() ? Optional.of(summary(Window.MINUTE)) : Optional.empty();
    }

    /** Endpoints that were asked for within the window, the busiest first. */
    public List<Line> endpoints(Window window) {
        return reading.endpoints(window);
    }

    /** Instances that counted something within the window, the busiest first. */
    public List<Line> instances(Window window) {
        return reading.instances(window);
    }

    /** Instances that are there now, busy or not: heard of within 5 s, or within a minute if they report from elsewhere. */
    public Set<String> living() {
        return reading.living();
    }

    /** The last 24 hours, the oldest first and the one that runs last; a line's name is the hour's begin. */
    public List<Line> hourly() {
        return reading.hourly();
    }

    /**
     * The fleet over time: a line for each slot of the window, the oldest first and the one that runs last. A slot is 10 s
     * of a minute, a minute of a quarter, 5 minutes of an hour, an hour of a day; a line's name is the slot's begin.
     */
    public List<Line> series(Window window) {
        return reading.series(window);
    }

    /** Empty when nobody has asked for the endpoint yet, or it counts under {@code other}. */
    public Optional<EndpointDetail> endpoint(String method, String route) {
        return reading.endpoint(Endpoints.name(method, route));
    }

    /** What must survive a loss of Redis: to be kept once a minute. Brings counters that lag behind the last one to it first. */
    public Checkpoint checkpoint() {
        restoration.runUnlessWhole();
        return reading.checkpoint()
                .orElseThrow(() -> new HotstateException("Redis was lost again while a checkpoint was read"));
    }

    /** Endpoints by hour from that time on, at most of the last 24 hours, for a history. */
    public List<HourRow> hours(Instant from) {
        return reading.hours(from);
    }

    /** Flushes once more and ends this instance's lease. What cannot be flushed now is lost. */
    @Override
    public void close() {
        closing.countDown();
        awaitTicker();
        try {
            flusher.flush(true);
        } catch (RuntimeException failed) {
            log.warn("the last requests were not counted: {}", failed.getMessage());
        }
    }

    private void tick() {
        boolean failing = false;
        while (!isClosing()) {
            try {
                flusher.flush(false);
                if (failing) {
                    log.info("requests are counted in Redis again, and those of the meantime were added");
                }
                failing = false;
            } catch (RuntimeException failed) {
                if (!failing) {
                    log.warn("requests are counted in memory until Redis answers: {}", failed.getMessage());
                }
                failing = true;
            }
        }
    }

    /** Waits for the next flush. */
    private boolean isClosing() {
        try {
            return closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            return true;
        }
    }

    private void awaitTicker() {
        if (ticker != null) {
            try {
                ticker.join();
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
