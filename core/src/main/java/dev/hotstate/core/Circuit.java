package dev.hotstate.core;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * One node's circuit breaker. It tells of changes of its state by looking at it when one is possible: a listener of
 * Resilience4j would have it make an event, with the time of day, for every call that succeeds.
 */
final class Circuit {
    private final String node;
    private final CircuitBreaker breaker;
    private final BiConsumer<String, State> onChange;
    private volatile State told = State.CLOSED;

    Circuit(String node, CircuitBreakerConfig config, BiConsumer<String, State> onChange) {
        this.node = node;
        this.breaker = CircuitBreaker.of(node, config);
        this.onChange = onChange;
    }

    String node() {
        return node;
    }

    /** Whether a call may be made; it must then end in exactly one of the three below. */
    boolean admits() {
        boolean admitted = breaker.tryAcquirePermission();
        tellIfChanged(told != State.CLOSED);
        return admitted;
    }

    void succeeded(long nanos) {
        breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
        tellIfChanged(told != State.CLOSED);
    }

    void failed(long nanos, Throwable reason) {
        breaker.onError(nanos, TimeUnit.NANOSECONDS, reason);
        tellIfChanged(true);
    }

    void abandoned() {
        breaker.releasePermission();
    }

    void close() {
        if (!isClosed()) {
            breaker.transitionToClosedState();
            tellIfChanged(true);
        }
    }

    boolean isClosed() {
        return breaker.getState() == State.CLOSED;
    }

    /** closed, half_open or open. */
    String state() {
        return breaker.getState().name().toLowerCase(Locale.ROOT);
    }

    /** 0 closed, 1 half open, 2 open. */
    double level() {
        return switch (breaker.getState()) {
            case CLOSED -> 0;
            case HALF_OPEN -> 1;
            default -> 2;
        };
    }

    private void tellIfChanged(boolean possible) {
        if (possible && breaker.getState() != told) {
            tell();
        }
    }

    private synchronized void tell() {
        State now = breaker.getState();
        if (now != told) {
            told = now;
            onChange.accept(node, now);
        }
    }
}
