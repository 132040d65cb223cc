package dev.hotstate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A loopback port that stays ours while its server is down, so that a restart finds it free.
 *
 * <p>Ports come from below the range that operating systems hand to outgoing connections (a client that keeps knocking
 * at a dead server's port could otherwise be given that very port), and low enough that port + 10000, the bus of a Redis
 * Cluster node, is below it too. A file in which the byte at the port's number is locked keeps other JVMs of this user
 * away; a lock ends with its JVM, whatever way that ends.
 */
final class ReservedPort implements AutoCloseable {
    static final int CLUSTER_BUS_OFFSET = 10_000;
    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 22_000;
    private static final int TRIES = 500;

    /** One for the JVM: closing any channel to a file drops all locks that the process has on it. */
    private static final FileChannel LOCKS = open();

    private final int number;
    private final FileLock lock;

    private ReservedPort(int number, FileLock lock) {
        this.number = number;
        this.lock = lock;
    }

    static ReservedPort reserve() {
        for (int i = 0; i < TRIES; i++) {
            int candidate = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            Optional<FileLock> lock = lock(candidate);
            if (lock.isPresent()) {
                var port = new ReservedPort(candidate, lock.get());
                if (isFree(candidate) && isFree(candidate + CLUSTER_BUS_OFFSET)) {
                    return port;
                }
                port.close();
            }
        }
        throw new IllegalStateException("No free port between " + LOWEST + " and " + HIGHEST);
    }

    int number() {
        return number;
    }

    @Override
    public void close() {
        try {
            lock.release();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileChannel open() {
        String file = "hotstate-testkit-ports-" + System.getProperty("user.name");
        try {
            return FileChannel.open(
                    Path.of(System.getProperty("java.io.tmpdir"), file),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty if another JVM, or this one, has the port. */
    private static Optional<FileLock> lock(int port) {
        try {
            return Optional.ofNullable(LOCKS.tryLock(port, 1, false));
        } catch (OverlappingFileLockException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
