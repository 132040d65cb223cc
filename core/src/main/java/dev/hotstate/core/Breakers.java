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
    List<String> open() {
        return byNode.values().stream()
                .filter(breaker -> breaker.getState() != CircuitBreaker.State.CLOSED)
                .map(CircuitBreaker::getName)
                .toList();
    }

    void close(String node) {
        CircuitBreaker breaker = of(node);
        if (breaker.getState() != CircuitBreaker.State.CLOSED) {
            breaker.transitionToClosedState();
        }
    }

    /** Forgets a node that left the cluster. */
    void forget(String node) {
        byNode.remove(node);
        meters.find(STATE).tag("node", node).meters().forEach(meters::remove);
    }

    Map<String, String> states() {
        Map<String, String> states = new TreeMap<>();
        byNode.forEach((node, breaker) -> states.put(node, lowerCase(breaker.getState())));
        return states;
    }

    private CircuitBreaker create(String node) {
        CircuitBreaker breaker = CircuitBreaker.of(node, config);
        breaker.getEventPublisher()
                .onStateTransition(
                        event -> changed(node, event.getStateTransition().getToState()));
        Gauge.builder(STATE, breaker, Breakers::level).tag("node", node).register(meters);
        return breaker;
    }

    private void changed(String node, CircuitBreaker.State to) {
        meters.counter("hotstate.redis.breaker.transitions", "to", lowerCase(to))
                .increment();
        if (to == CircuitBreaker.State.OPEN) {
            log.warn("Redis node {} does not answer: its circuit is open", node);
            onOpen.accept(node);
        } else if (to == CircuitBreaker.State.CLOSED) {
            log.info("Redis node {} answers again: its circuit is closed", node);
        }
    }

    private static double level(CircuitBreaker breaker) {
        return switch (breaker.getState()) {
            case CLOSED -> 0;
            case HALF_OPEN -> 1;
            default -> 2;
        };
    }

    private static String lowerCase(CircuitBreaker.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
