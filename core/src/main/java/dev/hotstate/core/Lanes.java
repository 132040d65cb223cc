package dev.hotstate.core;

import dev.hotstate.core.Deployment.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The multiplexed connections. Calls fill one connection before they spill to the next, because many calls on one
 * socket share system calls on both ends; when the last one is full too, another is opened, up to the maximum. The calls
 * under way over all of them are bounded.
 */
final class Lanes implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Lanes.class);

    /** Calls under way on one connection before the next is used; at 128, 256 callers lost a sixth of their throughput. */
    private static final int FULL = 512;

    private final Deployment deployment;
    private final int max;
    private final int queue;
    private final Semaphore room;
    private final AtomicBoolean growing = new AtomicBoolean();
    private volatile Lane[] lanes;
    private boolean closed;

    /** One connection and the number of calls under way on it. */
    final class Lane {
        private final AtomicInteger inFlight = new AtomicInteger();
        private volatile Connection connection;
        private volatile @Nullable String silentNode;

        private Lane(Connection connection) {
            this.connection = connection;
        }

        Connection connection() {
            return connection;
        }

        /** Ends what {@link Lanes#enter} began. */
        void leave() {
            inFlight.decrementAndGet();
            room.release();
        }

        /** A call to this node was not answered here: calls prefer other connections until the probe has looked. */
        void suspect(String node) {
            silentNode = node;
        }

        private boolean isTrusted() {
            return silentNode == null && connection.isOpen();
        }
    }

    Lanes(Deployment deployment, RedisOptions options) {
        this.deployment = deployment;
        this.max = options.maxConnections();
        this.queue = options.queue();
        this.room = new Semaphore(queue);
        this.lanes = new Lane[options.minConnections()];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new Lane(deployment.connect());
        }
    }

    /** Takes a place for one call, to be left exactly once; null when as many calls are under way as may be. */
    @Nullable
    Lane enter() {
        if (!room.tryAcquire()) {
            return null;
        }
        Lane lane = pick();
        lane.inFlight.incrementAndGet();
        return lane;
    }

    /** The first connection that is trusted and not full, else the least busy, of the trusted ones if there are any. */
    Lane pick() {
        Lane[] all = lanes;
        Lane best = all[0];
        int least = Integer.MAX_VALUE;
        for (Lane lane : all) {
            int load = lane.inFlight.get() + (lane.isTrusted() ? 0 : queue + FULL);
            if (load < FULL) {
                return lane;
            }
            if (load < least) {
                least = load;
                best = lane;
            }
        }
        if (best.isTrusted() && all.length < max && growing.compareAndSet(false, true)) {
            Thread.startVirtualThread(this::grow);
        }
        return best;
    }

    /** The nodes that were silent on some connection since the probe last looked. */
    Set<String> silentNodes() {
        Set<String> nodes = new HashSet<>();
        for (Lane lane : lanes) {
            String node = lane.silentNode;
            if (node != null) {
                nodes.add(node);
            }
        }
        return nodes;
    }

    /** A node that has left the cluster is silent for good: that says nothing of the connections. */
    void forget(String node) {
        for (Lane lane : lanes) {
            trust(lane, node);
        }
    }

    /**
     * Replaces each connection on which the node is silent by a new one on which it answers; answers whether it now
     * answers on all of them. The silent one is closed a while later, when the calls to other nodes of a cluster that are
     * under way on it have been answered.
     */
    boolean renewSilent(String node, Duration within) {
        for (Lane lane : lanes) {
            if (!deployment.answers(lane.connection, node, within)) {
                Connection fresh = deployment.connect();
                if (!deployment.answers(fresh, node, within)) {
                    fresh.close();
                    return false;
                }
                Connection silent = lane.connection;
                replace(lane, fresh);
                CompletableFuture.delayedExecutor(within.toMillis(), TimeUnit.MILLISECONDS)
                        .execute(silent::close);
            }
            trust(lane, node);
        }
        return true;
    }

    int size() {
        return lanes.length;
    }

    int inFlight() {
        return queue - room.availablePermits();
    }

    /** No connection is added any more; the deployment closes those that are open with itself. */
    @Override
    public synchronized void close() {
        closed = true;
    }

    private void grow() {
        try {
            add(deployment.connect());
        } catch (RuntimeException failed) {
            log.debug("could not open one more Redis connection: {}", Causes.sentence(failed));
        } finally {
            growing.set(false);
        }
    }

    private synchronized void add(Connection connection) {
        if (closed) {
            connection.close();
            return;
        }
        Lane[] more = Arrays.copyOf(lanes, lanes.length + 1);
        more[lanes.length] = new Lane(connection);
        lanes = more;
    }

    private synchronized void replace(Lane lane, Connection fresh) {
        if (closed) {
            fresh.close();
        } else {
            lane.connection = fresh;
        }
    }

    private static void trust(Lane lane, String node) {
        if (node.equals(lane.silentNode)) {
            lane.silentNode = null;
        }
    }
}
