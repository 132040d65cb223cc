package dev.hotstate.traffic;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The recorders of this process and their outboxes: its own, and one for each instance that reports to it. */
final class Flusher {
    private static final Logger log = LoggerFactory.getLogger(Flusher.class);

    /** A reporter that is silent for so long gives its place to others. */
    private static final Duration FORGOTTEN = Duration.ofHours(1);

    private final RedisTraffic redis;
    private final TrafficOptions options;
    private final Restoration restoration;
    private final Endpoints endpoints;
    private final Retirement retirement;
    private final Outbox own;
    private final Map<String, Outbox> reporters = new ConcurrentHashMap<>();
    private final ReentrantLock flushing = new ReentrantLock();
    private boolean begun;

    Flusher(RedisTraffic redis, RedisFigures figures, TrafficOptions options, Restoration restoration) {
        this.redis = redis;
        this.options = options;
        this.restoration = restoration;
        this.endpoints = new Endpoints(options.endpoints());
        this.retirement = new Retirement(redis, figures, endpoints, options.endpoints());
        this.own = outbox(Writer.process(options.instance()), Stripes.forThisProcess(endpoints.ids()));
    }

    Recorder own() {
        return own.recorder();
    }

    Recorder reporter(String instance) {
        if (instance.equals(options.instance())) {
            return own();
        }
        Outbox known = reporters.computeIfPresent(instance, (name, outbox) -> outbox.inUse());
        return known != null ? known.recorder() : admit(instance);
    }

    /** Collects from every recorder, whether Redis answers or not, and then sends, our own first. */
    void flush(boolean leaves) {
        flushing.lock();
        try {
            own.collect();
            reporters.values().forEach(Outbox::collect);
            if (!begun) {
                compare();
            }
            own.send(leaves);
            begun = true;
            reporters.values().forEach(outbox -> outbox.send(false));
            forgetSilent();
            retirement.runIfDue(options.clock().millis());
        } finally {
            flushing.unlock();
        }
    }

    /** A process that is new cannot tell by its own flushes that Redis has an older copy of what others counted. */
    private void compare() {
        try {
            restoration.runUnlessWhole();
        } catch (RuntimeException unknown) {
            log.warn(
                    "whether Redis has all that was counted is seen with the next checkpoint: {}",
                    unknown.getMessage());
        }
    }

    private synchronized Recorder admit(String instance) {
        boolean room = reporters.size() < options.reporters() || reporters.containsKey(instance);
        return reporters
                .computeIfAbsent(room ? instance : Writer.OTHER, this::reporterOutbox)
                .recorder();
    }

    private Outbox reporterOutbox(String instance) {
        return outbox(Writer.reporter(instance), Stripes.forReports(endpoints.ids()));
    }

    private Outbox outbox(Writer writer, Stripes stripes) {
        InstanceRecorder recorder = new InstanceRecorder(endpoints, options.clock(), stripes);
        return new Outbox(recorder, writer, endpoints, redis, restoration, options.clock());
    }

    /** One by one and under the map's lock: none is forgotten that was just asked for. */
    private void forgetSilent() {
        long since = options.clock().millis() - FORGOTTEN.toMillis();
        reporters
                .keySet()
                .forEach(instance -> reporters.computeIfPresent(
                        instance, (name, outbox) -> outbox.isSilentSince(since) ? null : outbox));
    }
}
