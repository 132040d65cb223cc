package dev.hotstate.core;

import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the nodes behind open circuits, and those that were silent on some connection, whether they are there: every
 * 500 ms by default. A connection that stays silent while a new one is answered (a cut network leaves such behind) is
 * replaced before the circuit closes.
 *
 * <p>It has a thread of its own, no virtual one: callers that fail at once and try again without a pause keep the
 * carriers of virtual threads so busy that a virtual probe would never see its answer (seen).
 */
final class Probe implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Probe.class);

    private final Deployment deployment;
    private final Lanes lanes;
    private final DirectLines lines;
    private final Breakers breakers;
    private final RedisOptions options;
    private final Thread thread;

    Probe(Deployment deployment, Lanes lanes, DirectLines lines, Breakers breakers, RedisOptions options) {
        this.deployment = deployment;
        this.lanes = lanes;
        this.lines = lines;
        this.breakers = breakers;
        this.options = options;
        this.thread = Thread.ofPlatform().daemon().name("redis-probe").start(this::run);
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(options.breaker().probe());
                Set<String> doubtful = lanes.silentNodes();
                doubtful.addAll(breakers.open());
                for (String node : doubtful) {
                    ask(node);
                }
            }
        } catch (InterruptedException closed) {
            // The end.
        }
    }

    private void ask(String node) {
        try {
            deployment.refresh();
            if (!deployment.masters().contains(node)) {
                breakers.forget(node);
                lanes.forget(node);
                lines.forget(node);
            } else if (lanes.renewSilent(node, options.timeout())) {
                breakers.close(node);
            }
        } catch (RuntimeException unreachable) {
            log.debug("Redis node {} is still away: {}", node, Causes.sentence(unreachable));
        }
    }
}
