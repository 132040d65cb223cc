package dev.hotstate.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a test moves it. Safe for use by many threads. */
public final class SettableClock implements InstantSource {
    private Instant now;

    private SettableClock(Instant start) {
        now = start;
    }

    public static SettableClock at(Instant start) {
        return new SettableClock(start);
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    /** Moves the clock on, or back if the duration is negative, and returns the new time. */
    public synchronized Instant advance(Duration by) {
        now = now.plus(by);
        return now;
    }

    /** Makes the clock jump, forward or back. */
    public synchronized void set(Instant to) {
        now = to;
    }

    @Override
    public String toString() {
        return "SettableClock at " + instant();
    }
}
