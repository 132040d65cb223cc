package dev.hotstate.server.monitors;

import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that anybody may ask for, however often: it is made at most once in its time, by one caller while others wait. */
final class Remembered<T> {
    private final Duration fresh;
    private final Supplier<T> maker;
    private final Lock making = new ReentrantLock();
    private volatile @Nullable Made<T> last;

    private record Made<T>(T value, long atNanos) {}

    Remembered(Duration fresh, Supplier<T> maker) {
        this.fresh = fresh;
        this.maker = maker;
    }

    T get() {
        var known = fresh();
        if (known != null) {
            return known.value;
        }
        making.lock();
        try {
            var meanwhile = fresh();
            return meanwhile != null ? meanwhile.value : make();
        } finally {
            making.unlock();
        }
    }

    private T make() {
        var made = new Made<>(maker.get(), System.nanoTime());
        last = made;
        return made.value;
    }

    private @Nullable Made<T> fresh() {
        var known = last;
        return known != null && System.nanoTime() - known.atNanos <= fresh.toNanos() ? known : null;
    }
}
