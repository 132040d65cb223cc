package dev.hotstate.server;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/** A part that another thread starts while this one does something else. Whoever closes this closes the part. */
final class Meanwhile<T> implements AutoCloseable {
    private final FutureTask<T> starting;
    private final Consumer<T> closing;

    private Meanwhile(FutureTask<T> starting, Consumer<T> closing) {
        this.starting = starting;
        this.closing = closing;
    }

    static <T> Meanwhile<T> start(String name, Callable<T> part, Consumer<T> closing) {
        var starting = new FutureTask<>(part);
        Thread.ofPlatform().daemon().name(name).start(starting);
        return new Meanwhile<>(starting, closing);
    }

    /** Waits for it; what kept it from starting is thrown here. */
    T get() {
        try {
            return starting.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException known) {
                throw known;
            }
            if (failed.getCause() instanceof Error known) {
                throw known;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting", stopped);
        }
    }

    @Override
    public void close() {
        T part;
        try {
            part = starting.get();
        } catch (ExecutionException neverStarted) {
            return;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return;
        }
        closing.accept(part);
    }
}
