package dev.hotstate.core;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.micrometer.core.instrument.MeterRegistry;
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

    private final Map<String, CircuitBreaker> byNode = new ConcurrentHashMap<>();
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

    CircuitBreaker of(String node) {
        CircuitBreaker known = byNode.get(node);
        return known != null ? known : byNode.computeIfAbsent(node, this::create);
    }

    /** The nodes whose circuit is not closed. */
    java.util.List<String> open() {
        return byNode.values().stream()
                .filter(breaker -> breaker.getState() != CircuitBreaker.State.CLOSED)
                .map(CircuitBreaker::getName)
                .toList();
    }

    void close(String node) {
        of(node).transitionToClosedState();
    }

    /** Forgets a node that left the cluster. */
    void forget(String node) {
        byNode.remove(node);
    }

    Map<String, String> states() {
        Map<String, String> states = new TreeMap<>();
        byNode.forEach(
                (node, breaker) -> states.put(node, breaker.getState().name().toLowerCase(java.util.Locale.ROOT)));
        return states;
    }

    private CircuitBreaker create(String node) {
        CircuitBreaker breaker = CircuitBreaker.of(node, config);
        breaker.getEventPublisher().onStateTransition(event -> {
            CircuitBreaker.State to = event.getStateTransition().getToState();
            meters.counter("hotstate.redis.breaker.transitions", "to", to.name().toLowerCase(java.util.Locale.ROOT))
                    .increment();
            if (to == CircuitBreaker.State.OPEN) {
                log.warn("Redis node {} does not answer: its circuit is open", node);
                onOpen.accept(node);
            } else if (to == CircuitBreaker.State.CLOSED) {
                log.info("Redis node {} answers again: its circuit is closed", node);
            }
        });
        return breaker;
    }
}
