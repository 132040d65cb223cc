package dev.hotstate.core;

import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines to each node. There are none until somebody asks for one, and then at most {@value #MOST}; nobody waits while one
 * is opened, since the shared connections are there for whoever finds no line.
 */
final class DirectLines implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DirectLines.class);
    private static final int MOST = 4;

    /** Where one cannot be opened, how long until that is tried again. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final Deployment deployment;
    private final Duration timeout;
    private final Map<String, Bundle> bundles = new ConcurrentHashMap<>();
    private volatile boolean closed;

    DirectLines(Deployment deployment, Duration timeout) {
        this.deployment = deployment;
        this.timeout = timeout;
    }

    /** A line that nobody else uses until it is given back; null where there is none, and then perhaps soon. */
    @Nullable
    DirectLine take(String node) {
        return bundles.computeIfAbsent(node, Bundle::new).take();
    }

    void give(String node, DirectLine line) {
        bundles.computeIfAbsent(node, Bundle::new).give(line);
    }

    /** Of a node that left the cluster. */
    void forget(String node) {
        Bundle left = bundles.remove(node);
        if (left != null) {
            left.all.forEach(DirectLine::close);
        }
    }

    int size() {
        return bundles.values().stream().mapToInt(bundle -> bundle.all.size()).sum();
    }

    /** Whoever waits on one hears that it is closed. */
    @Override
    public void close() {
        closed = true;
        bundles.values().forEach(bundle -> bundle.all.forEach(DirectLine::close));
    }

    /** The lines to one node. */
    private final class Bundle {
        private final String node;
        private final Set<DirectLine> all = ConcurrentHashMap.newKeySet();

        /** The last that was given back goes first: it is warm, and knows how soon answers come. */
        private final Deque<DirectLine> free = new ConcurrentLinkedDeque<>();

        private final AtomicBoolean opening = new AtomicBoolean();
        private volatile long notBefore = System.nanoTime();

        Bundle(String node) {
            this.node = node;
        }

        @Nullable
        DirectLine take() {
            for (DirectLine line = free.poll(); line != null; line = free.poll()) {
                if (line.isUsable()) {
                    return line;
                }
                drop(line);
            }
            if (all.size() < MOST && System.nanoTime() - notBefore >= 0 && opening.compareAndSet(false, true)) {
                Thread.startVirtualThread(this::open);
            }
            return null;
        }

        void give(DirectLine line) {
            if (closed || !all.contains(line) || line.isClosed()) {
                drop(line);
            } else {
                free.push(line);
            }
        }

        private void drop(DirectLine line) {
            line.close();
            all.remove(line);
        }

        private void open() {
            try {
                notBefore = System.nanoTime() + PAUSE;
                Optional<RedisURI> there = deployment.inTheClear(node);
                if (there.isPresent()) {
                    DirectLine line = DirectLine.open(there.get(), timeout);
                    all.add(line);
                    // By the node, which may have left meanwhile: then the line is nobody's, and closed.
                    DirectLines.this.give(node, line);
                    notBefore = System.nanoTime();
                }
            } catch (IOException | RuntimeException failed) {
                log.debug("no line of its own to Redis node {}: {}", node, Causes.sentence(failed));
            } finally {
                opening.set(false);
            }
        }
    }
}
