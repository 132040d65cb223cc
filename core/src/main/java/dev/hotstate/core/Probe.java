package dev.hotstate.core;

import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the nodes behind open circuits whether they are back: every 500 ms by default, one virtual thread that sleeps
 * while all is well. A connection that stays silent while a new one is answered (a cut network leaves such behind) is
 * replaced before the circuit closes.
 */
final class Probe implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Probe.class);

    private final Deployment deployment;
    private final Lanes lanes;
    private final Breakers breakers;
    private final RedisOptions options;
    private final Thread thread;

    Probe(Deployment deployment, Lanes lanes, Breakers breakers, RedisOptions options) {
        this.deployment = deployment;
        this.lanes = lanes;
        this.breakers = breakers;
        this.options = options;
        this.thread = Thread.ofVirtual().name("redis-probe").start(this::run);
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(options.breaker().probe());
                for (String node : breakers.open()) {
                    ask(node);
                }
            }
        } catch (InterruptedException closed) {
            // The end.
        }
    }

    private void ask(String node) {
        try {
            if (deployment.isCluster()) {
                deployment.refresh();
                if (!Set.copyOf(deployment.masters()).contains(node)) {
                    breakers.forget(node);
                    return;
                }
            }
            lanes.renewSilent(node, options.timeout());
            if (deployment.answers(lanes.pick().connection(), node, options.timeout())) {
                breakers.close(node);
            }
        } catch (RuntimeException unreachable) {
            log.debug("Redis node {} is still away: {}", node, Causes.sentence(unreachable));
        }
    }
}
