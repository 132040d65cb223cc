package dev.hotstate.traffic;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The hot path: checks a request and counts it in a stripe. */
final class InstanceRecorder implements Recorder {
    /** A report may be so late and still be counted at its time: nobody asks for more than a day. */
    private static final Duration LATEST = Duration.ofHours(24);

    /** Beyond this, a late report's second is over: it is no part of any speed. */
    private static final long SECOND_OPEN_MS = 5_000;

    private final Endpoints endpoints;
    private final InstantSource clock;
    private final Stripes stripes;
    private final OpenConnections connections = new OpenConnections();

    InstanceRecorder(Endpoints endpoints, InstantSource clock, Stripes stripes) {
        this.endpoints = endpoints;
        this.clock = clock;
        this.stripes = stripes;
    }

    @Override
    public void began() {
        connections.began();
    }

    @Override
    public void ended() {
        connections.ended();
    }

    @Override
    public void record(String method, String route, int status, Duration took) {
        long now = clock.millis();
        count(method, route, status, took, now, now / 1000);
    }

    @Override
    public void record(String method, String route, int status, Duration took, Instant at) {
        Instant now = clock.instant();
        boolean usable = !at.isAfter(now) && !at.isBefore(now.minus(LATEST));
        long counted = (usable ? at : now).toEpochMilli();
        boolean open = counted >= now.toEpochMilli() - SECOND_OPEN_MS;
        count(method, route, status, took, counted, open ? counted / 1000 : Page.NO_SECOND);
    }

    Stripes stripes() {
        return stripes;
    }

    OpenConnections connections() {
        return connections;
    }

    private void count(String method, String route, int status, Duration took, long atMs, long second) {
        if (status < 100 || status > 599) {
            throw new IllegalArgumentException("status must be 100 to 599, not " + status);
        }
        long micros = micros(took);
        stripes.add(endpoints.of(method, route), status, micros, atMs, second);
    }

    private static long micros(Duration took) {
        if (took.isNegative()) {
            throw new IllegalArgumentException("took must not be negative, not " + took);
        }
        return took.getSeconds() >= 3600 ? Histogram.MAX_MICROS : took.toNanos() / 1000;
    }
}
