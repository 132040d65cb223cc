package dev.hotstate.core;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A circuit breaker for each node, so that a dead master does not stop the healthy ones. A circuit opens after so many
 * failures in a row, lets one call try after a while, and is closed sooner by a probe that the node answers.
 */
final class Breakers {
    private static final Logger log = LoggerFactory.getLogger(Breakers.class);

    /** 0 closed, 1 half open, 2 open. */
    private static final String STATE = "hotstate.redis.breaker.state";

    private final Map<String, Circuit> byNode = new ConcurrentHashMap<>();
    private final CircuitBreakerConfig config;
    private final MeterRegistry meters;
    private final Consumer<String> onOpen;

    Breakers(RedisOptions.Breaker rule, MeterRegistry meters, Consumer<String> onOpen) {
        this.meters = meters;
        this.onOpen = onOpen;
        this.config = CircuitBreakerConfig.custom()
                .slidingWindow(
                        rule.failures(),
                        rule.failures(),
                        CircuitBreakerConfig.SlidingWindowType.COUNT_BASED,
                        CircuitBreakerConfig.SlidingWindowSynchronizationStrategy.LOCK_FREE)
                .failureRateThreshold(100)
                .waitDurationInOpenState(rule.open())
                .permittedNumberOfCallsInHalfOpenState(1)
                .build();
    }

    Circuit of(String node) {
        Circuit known = byNode.get(node);
        return known != null ? known : byNode.computeIfAbsent(node, this::create);
    }

    /** The nodes whose circuit is not closed. */
    List<String> open() {
        return byNode.values().stream()
                .filter(circuit -> !circuit.isClosed())
                .map(Circuit::node)
                .toList();
    }

    void close(String node) {
        of(node).close();
    }

    /** Forgets a node that left the cluster. */
    void forget(String node) {
        byNode.remove(node);
        meters.find(STATE).tag("node", node).meters().forEach(meters::remove);
    }

    Map<String, String> states() {
        Map<String, String> states = new TreeMap<>();
        byNode.forEach((node, circuit) -> states.put(node, circuit.state()));
        return states;
    }

    private Circuit create(String node) {
        Circuit circuit = new Circuit(node, config, this::changed);
        Gauge.builder(STATE, circuit, Circuit::level).tag("node", node).register(meters);
        return circuit;
    }

    private void changed(String node, CircuitBreaker.State to) {
        meters.counter("hotstate.redis.breaker.transitions", "to", to.name().toLowerCase(Locale.ROOT))
                .increment();
        if (to == CircuitBreaker.State.OPEN) {
            log.warn("Redis node {} does not answer: its circuit is open", node);
            onOpen.accept(node);
        } else if (to == CircuitBreaker.State.CLOSED) {
            log.info("Redis node {} answers again: its circuit is closed", node);
        }
    }
}
