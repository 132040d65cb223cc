package dev.hotstate.core;

import dev.hotstate.core.Deployment.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The multiplexed connections. Calls fill one connection before they spill to the next, because many calls on one
 * socket share system calls on both ends; when the last one is full too, another is opened, up to the maximum.
 */
final class Lanes implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Lanes.class);

    /** Calls under way on one connection before the next is used. */
    private static final int FULL = 128;

    private final Deployment deployment;
    private final int max;
    private final AtomicBoolean growing = new AtomicBoolean();
    private volatile Lane[] lanes;

    /** One connection and the number of calls under way on it. */
    static final class Lane {
        private final AtomicInteger inFlight = new AtomicInteger();
        private volatile Connection connection;

        private Lane(Connection connection) {
            this.connection = connection;
        }

        Connection connection() {
            return connection;
        }

        void enter() {
            inFlight.incrementAndGet();
        }

        void leave() {
            inFlight.decrementAndGet();
        }

        int inFlight() {
            return inFlight.get();
        }
    }

    Lanes(Deployment deployment, int min, int max) {
        this.deployment = deployment;
        this.max = max;
        List<Lane> opened = new ArrayList<>();
        for (int i = 0; i < min; i++) {
            opened.add(new Lane(deployment.connect()));
        }
        this.lanes = opened.toArray(Lane[]::new);
    }

    /** The first connection that is up and not full, else the least busy. */
    Lane pick() {
        Lane[] all = lanes;
        Lane best = all[0];
        int least = Integer.MAX_VALUE;
        for (Lane lane : all) {
            int load = lane.connection.isOpen() ? lane.inFlight() : Integer.MAX_VALUE - 1;
            if (load < FULL) {
                return lane;
            }
            if (load < least) {
                least = load;
                best = lane;
            }
        }
        if (least < Integer.MAX_VALUE - 1 && all.length < max && growing.compareAndSet(false, true)) {
            Thread.startVirtualThread(this::grow);
        }
        return best;
    }

    /** Replaces each connection on which the node is silent by a new one on which it answers. */
    void renewSilent(String node, Duration within) {
        for (Lane lane : lanes) {
            if (!deployment.answers(lane.connection, node, within)) {
                Connection fresh = deployment.connect();
                if (deployment.answers(fresh, node, within)) {
                    Connection silent = lane.connection;
                    lane.connection = fresh;
                    silent.close();
                } else {
                    fresh.close();
                    return;
                }
            }
        }
    }

    int size() {
        return lanes.length;
    }

    int inFlight() {
        int sum = 0;
        for (Lane lane : lanes) {
            sum += lane.inFlight();
        }
        return sum;
    }

    @Override
    public void close() {
        for (Lane lane : lanes) {
            lane.connection.close();
        }
    }

    private void grow() {
        try {
            Lane[] all = lanes;
            Lane[] more = java.util.Arrays.copyOf(all, all.length + 1);
            more[all.length] = new Lane(deployment.connect());
            lanes = more;
        } catch (RuntimeException failed) {
            log.debug("could not open one more Redis connection: {}", failed.getMessage());
        } finally {
            growing.set(false);
        }
    }
}
