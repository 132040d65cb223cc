package dev.hotstate.server.auth;

import dev.hotstate.server.http.Problem;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every valid credential, held in memory, so that a call costs no query and a wrong token costs one hash and nothing
 * else: however many are tried, PostgreSQL is asked at most four times a second.
 *
 * <p>The copy is at most five seconds old, so a token revoked elsewhere dies within that. While PostgreSQL does not
 * answer, the last copy goes on being used for up to fifteen minutes: nobody is locked out by an outage, and nobody can
 * revoke a token during one either. What the copy does not hold is then neither right nor wrong but 503.
 */
final class KnownCredentials {
    private static final Logger LOG = LoggerFactory.getLogger(KnownCredentials.class);
    private static final long MAX_AGE = Duration.ofSeconds(5).toNanos();
    // Somebody with an unknown token may hold one made a moment ago by another process.
    private static final long MAX_AGE_FOR_UNKNOWN = Duration.ofMillis(250).toNanos();
    private static final long OUTAGE = Duration.ofMinutes(15).toNanos();
    // No call waits longer than this for PostgreSQL, and once it has not answered nobody else waits for that query.
    private static final long LONGEST_WAIT = Duration.ofMillis(500).toNanos();

    private static final long GIVE_UP = Duration.ofSeconds(10).toNanos();

    private final Supplier<List<Credential>> loader;
    private final LongSupplier nanoTime;
    private volatile @Nullable Copy copy;
    private volatile long changedAt;
    // An outage is logged once, not at every try.
    private volatile boolean failing;
    private @Nullable Load last;

    /** @param loader reads all valid credentials; it may fail */
    KnownCredentials(Supplier<List<Credential>> loader, LongSupplier nanoTime) {
        this.loader = loader;
        this.nanoTime = nanoTime;
        this.changedAt = nanoTime.getAsLong();
    }

    /** @throws Problem 503 when it is not among the known ones and PostgreSQL cannot be asked */
    Optional<Credential> find(byte[] hash) {
        var found = Optional.ofNullable(copyOf(MAX_AGE)).flatMap(known -> known.find(hash));
        if (found.isPresent()) {
            return found;
        }
        var fresh = copyOf(MAX_AGE_FOR_UNKNOWN);
        if (fresh == null || age(fresh) > MAX_AGE) {
            throw Problem.unavailable("Tokens cannot be checked now.", Duration.ofSeconds(2));
        }
        return fresh.find(hash);
    }

    /** Something was changed here: the next call sees it. */
    void forget() {
        changedAt = nanoTime.getAsLong();
    }

    /** A copy of at most that age, or the newest there is when PostgreSQL does not answer. */
    private @Nullable Copy copyOf(long maxAge) {
        var known = copy;
        if (known != null && age(known) <= maxAge && known.loadedAt - changedAt >= 0) {
            return known;
        }
        await(load());
        var newest = copy;
        return newest != null && age(newest) <= OUTAGE ? newest : null;
    }

    /** One query at a time, and four a second at most even when they fail; one that hangs is given up on. */
    private synchronized Load load() {
        long now = nanoTime.getAsLong();
        if (last != null && last.startedAt - changedAt >= 0) {
            long wait = last.done.isDone() ? MAX_AGE_FOR_UNKNOWN : GIVE_UP;
            if (now - last.startedAt < wait) {
                return last;
            }
        }
        var load = new Load(now, new CompletableFuture<>());
        last = load;
        Thread.ofVirtual().name("load-tokens").start(() -> run(load));
        return load;
    }

    private void run(Load load) {
        try {
            copy = new Copy(byPrefix(loader.get()), load.startedAt);
            failing = false;
            load.done.complete(null);
        } catch (RuntimeException e) {
            if (!failing) {
                LOG.warn("Tokens cannot be read, the last known ones are used: {}", e.toString());
            }
            failing = true;
            load.done.completeExceptionally(e);
        }
    }

    private void await(Load load) {
        long left = LONGEST_WAIT - (nanoTime.getAsLong() - load.startedAt);
        try {
            load.done.get(Math.max(0, left), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // The last copy has to do; the loader has logged why.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long age(Copy known) {
        return nanoTime.getAsLong() - known.loadedAt;
    }

    private static Map<Long, Credential> byPrefix(List<Credential> credentials) {
        var byPrefix = new HashMap<Long, Credential>();
        credentials.forEach(credential -> byPrefix.put(prefix(credential.hash()), credential));
        return byPrefix;
    }

    private static long prefix(byte[] hash) {
        return ByteBuffer.wrap(hash).getLong();
    }

    private record Load(long startedAt, CompletableFuture<@Nullable Void> done) {}

    private record Copy(Map<Long, Credential> credentials, long loadedAt) {
        /** By the first 8 bytes of the hash, then in constant time. */
        Optional<Credential> find(byte[] hash) {
            return Optional.ofNullable(credentials.get(prefix(hash)))
                    .filter(known -> MessageDigest.isEqual(known.hash(), hash));
        }
    }
}
