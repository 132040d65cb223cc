package dev.hotstate.traffic;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The recorders of this process and their outboxes: its own, and one for each instance that reports to it. */
final class Flusher {
    /** A reporter that is silent for so long gives its place to others. */
    private static final Duration FORGOTTEN = Duration.ofHours(1);

    private static final String OTHER = "other";

    private final RedisTraffic redis;
    private final TrafficOptions options;
    private final Checkpoints checkpoints;
    private final Endpoints endpoints;
    private final Outbox own;
    private final Map<String, Outbox> reporters = new ConcurrentHashMap<>();
    private final ReentrantLock flushing = new ReentrantLock();

    Flusher(RedisTraffic redis, TrafficOptions options, Checkpoints checkpoints) {
        this.redis = redis;
        this.options = options;
        this.checkpoints = checkpoints;
        this.endpoints = new Endpoints(options.endpoints());
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
            own.send(this::restore, leaves);
            reporters.values().forEach(outbox -> outbox.send(this::restore, false));
            forgetSilent();
        } finally {
            flushing.unlock();
        }
    }

    /** Begins a new life of lost counters, unless somebody else did. */
    void restore() {
        redis.restore(checkpoints
                .latest()
                .orElseGet(() -> Checkpoint.nothing(options.clock().instant())));
    }

    private synchronized Recorder admit(String instance) {
        boolean room = reporters.size() < options.reporters() || reporters.containsKey(instance);
        return reporters
                .computeIfAbsent(room ? instance : OTHER, this::reporterOutbox)
                .recorder();
    }

    private Outbox reporterOutbox(String instance) {
        return outbox(Writer.reporter(instance), Stripes.forReports(endpoints.ids()));
    }

    private Outbox outbox(Writer writer, Stripes stripes) {
        InstanceRecorder recorder = new InstanceRecorder(endpoints, options.clock(), stripes);
        return new Outbox(recorder, writer, endpoints, redis, options.clock());
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
