package dev.hotstate.limits;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is allowed: so many units a window, counted in one of four ways.
 *
 * @param burst the size of a token bucket; for the other algorithms it equals the limit
 * @param onError what is decided while Redis is away
 * @param shadow counts what it would deny, and denies nothing
 * @param lease lets a process take units in advance and decide by itself; empty asks Redis each time
 */
public record Rule(
        String id,
        Algorithm algorithm,
        long limit,
        Duration window,
        long burst,
        OnError onError,
        boolean shadow,
        Optional<Lease> lease) {
    /** A log keeps each unit it let through, so it is for small limits. */
    public static final long MAX_LOG = 10_000;
    /** Keeps every product of limits and microseconds within the integers that Lua's numbers hold exactly. */
    public static final long MAX_LIMIT = 1_000_000_000L;

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(366);
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /**
     * Units taken in advance.
     *
     * @param slice how many at once
     * @param length how long they may be used before the rest goes back; never beyond the rule's window
     */
    public record Lease(long slice, Duration length) {}

    public Rule {
        require(ID.matcher(id).matches(), "id must be 1 to 64 of A-Z a-z 0-9 . _ -, not \"" + abbreviated(id) + "\"");
        long most = algorithm == Algorithm.SLIDING_LOG ? MAX_LOG : MAX_LIMIT;
        require(limit >= 1 && limit <= most, "limit must be 1 to " + most + ", not " + limit);
        require(isWithin(window, SHORTEST, LONGEST), "window must be 1ms to 366 days, not " + window);
        require(window.toNanos() % 1000 == 0, "window must be of whole microseconds, not " + window);
        require(burst >= 1 && burst <= MAX_LIMIT, "burst must be 1 to " + MAX_LIMIT + ", not " + burst);
        require(
                algorithm == Algorithm.TOKEN_BUCKET || burst == limit,
                "burst is for token_bucket alone, not for " + algorithm);
        require(
                (double) burst / limit * window.toMillis() <= LONGEST.toMillis(),
                "burst must refill within 366 days, not " + burst + " at " + limit + " in " + window);
        lease.ifPresent(taken -> {
            require(
                    taken.slice() >= 1 && taken.slice() <= burst,
                    "slice must be 1 to " + burst + ", not " + taken.slice());
            require(
                    isWithin(taken.length(), SHORTEST, window),
                    "lease must be 1ms to the window, not " + taken.length());
        });
    }

    public static Rule fixedWindow(String id, long limit, Duration window) {
        return of(id, Algorithm.FIXED_WINDOW, limit, window);
    }

    public static Rule slidingWindow(String id, long limit, Duration window) {
        return of(id, Algorithm.SLIDING_WINDOW, limit, window);
    }

    public static Rule slidingLog(String id, long limit, Duration window) {
        return of(id, Algorithm.SLIDING_LOG, limit, window);
    }

    /** A full bucket holds {@code burst}; it refills at {@code limit} a window. */
    public static Rule tokenBucket(String id, long limit, Duration window, long burst) {
        return new Rule(id, Algorithm.TOKEN_BUCKET, limit, window, burst, OnError.OPEN, false, Optional.empty());
    }

    private static Rule of(String id, Algorithm algorithm, long limit, Duration window) {
        return new Rule(id, algorithm, limit, window, limit, OnError.OPEN, false, Optional.empty());
    }

    public Rule onError(OnError choice) {
        return new Rule(id, algorithm, limit, window, burst, choice, shadow, lease);
    }

    public Rule inShadow() {
        return new Rule(id, algorithm, limit, window, burst, onError, true, lease);
    }

    /**
     * Each process takes slices for a while and decides by itself: far fewer round trips. What it does not use goes back
     * when the lease ends, and none outlives its window. The bound of a fixed or sliding window stays; a log or a bucket
     * lets through at most one slice a process more, see {@link Algorithm}. A call is served so when all of its rules
     * lease.
     */
    public Rule leasing(long slice, Duration length) {
        return new Rule(id, algorithm, limit, window, burst, onError, shadow, Optional.of(new Lease(slice, length)));
    }

    /** The most that one call can ever spend. */
    public long capacity() {
        return burst;
    }

    private static boolean isWithin(Duration value, Duration least, Duration most) {
        return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
    }

    private static String abbreviated(String text) {
        return text.length() > 80 ? text.substring(0, 80) + "…" : text;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
