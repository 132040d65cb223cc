package dev.hotstate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A loopback port that stays ours while its server is down, so that a restart finds it free.
 *
 * <p>Ports come from below the range that operating systems hand to outgoing connections (a client that keeps knocking
 * at a dead server's port could otherwise be given that very port), and low enough that port + 10000, the bus of a Redis
 * Cluster node, is below it too. A locked file per port keeps other JVMs of this machine away; the lock ends with the
 * JVM, whatever way it ends.
 */
final class ReservedPort implements AutoCloseable {
    static final int CLUSTER_BUS_OFFSET = 10_000;
    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 22_000;
    private static final int TRIES = 500;

    private final int number;
    private final FileChannel lock;

    private ReservedPort(int number, FileChannel lock) {
        this.number = number;
        this.lock = lock;
    }

    static ReservedPort reserve() {
        for (int i = 0; i < TRIES; i++) {
            int candidate = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            FileChannel channel = open(candidate);
            if (isLocked(channel) && isFree(candidate) && isFree(candidate + CLUSTER_BUS_OFFSET)) {
                return new ReservedPort(candidate, channel);
            }
            close(channel);
        }
        throw new IllegalStateException("No free port between " + LOWEST + " and " + HIGHEST);
    }

    int number() {
        return number;
    }

    @Override
    public void close() {
        close(lock);
    }

    private static FileChannel open(int port) {
        try {
            Path folder = Path.of(System.getProperty("java.io.tmpdir"), "hotstate-testkit-ports");
            Files.createDirectories(folder);
            return FileChannel.open(
                    folder.resolve(port + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isLocked(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
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

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
