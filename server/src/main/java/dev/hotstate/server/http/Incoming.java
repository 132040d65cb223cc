package dev.hotstate.server.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.ServerConnectionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends on its connection, buffer by buffer. Only who reads finds out that a client has closed it; so while a
 * call waits, a thread of its own reads ahead. It reads one buffer at most, whatever the client sends, and goes on until it
 * has it: the next to be pulled. Nobody else reads meanwhile.
 */
final class Incoming implements Supplier<byte[]> {
    private final DataReader reader;
    // Of the connection's thread alone.
    private @Nullable Ahead ahead;

    Incoming(DataReader reader) {
        this.reader = reader;
    }

    /** The next buffer; null at the end. */
    @Override
    public byte @Nullable [] get() {
        var begun = ahead;
        ahead = null;
        return begun == null ? pull() : begun.await();
    }

    /** Has it run, by whatever thread, when the client is seen to have closed: at once if that is known already. */
    void whenGone(Runnable gone) {
        if (ahead == null) {
            ahead = new Ahead();
        }
        ahead.read.whenComplete((bytes, failed) -> {
            if (bytes == null) {
                gone.run();
            }
        });
    }

    private byte @Nullable [] pull() {
        try {
            reader.ensureAvailable();
            return reader.readBytes(reader.available());
        } catch (DataReader.InsufficientDataAvailableException end) {
            return null;
        }
    }

    private final class Ahead {
        private final CompletableFuture<byte[]> read = new CompletableFuture<>();
        private final Thread thread = Thread.ofVirtual().name("http-ahead").start(this::read);

        private void read() {
            try {
                read.complete(pull());
            } catch (Throwable failed) {
                read.completeExceptionally(failed);
            }
        }

        /** As a read of one's own: it fails in the same way, and an interrupt closes the connection. */
        byte @Nullable [] await() {
            try {
                return read.get();
            } catch (InterruptedException cut) {
                thread.interrupt();
                Thread.currentThread().interrupt();
                throw new ServerConnectionException("Interrupted while data was read from the socket", cut);
            } catch (ExecutionException failed) {
                throw new ServerConnectionException("Failed to get data from socket", failed.getCause());
            }
        }
    }
}
