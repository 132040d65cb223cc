package dev.hotstate.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One direction of a connection. One thread reads and another writes, so that a delay is only a delay and does not make
 * the line slow too. At most 64 chunks of 16 KiB are on their way; then the sender waits.
 */
final class ProxiedLine {
    private static final int CHUNK = 16 * 1024;
    private static final int CHUNKS_UNDER_WAY = 64;

    private final BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(CHUNKS_UNDER_WAY);
    private final Socket from;
    private final Socket to;
    private final NetworkWeather weather;
    private final AtomicLong passed;
    private volatile Runnable interrupt = () -> {};

    ProxiedLine(Socket from, Socket to, NetworkWeather weather, AtomicLong passed) {
        this.from = from;
        this.to = to;
        this.weather = weather;
        this.passed = passed;
    }

    /** Carries bytes until the sender has ended, or the line is broken or dropped. */
    void carry(Runnable whenEnded, Runnable whenBroken) {
        Thread reader = Thread.ofVirtual().unstarted(() -> carry(this::read, () -> {}, whenBroken));
        Thread writer = Thread.ofVirtual().unstarted(() -> carry(this::write, whenEnded, whenBroken));
        interrupt = () -> {
            reader.interrupt();
            writer.interrupt();
        };
        reader.start();
        writer.start();
    }

    /** Forgets what is under way. */
    void drop() {
        interrupt.run();
    }

    private static void carry(Work work, Runnable whenEnded, Runnable whenBroken) {
        try {
            work.run();
            whenEnded.run();
        } catch (IOException | InterruptedException e) {
            whenBroken.run();
        }
    }

    private void read() throws IOException, InterruptedException {
        InputStream in = from.getInputStream();
        byte[] buffer = new byte[CHUNK];
        int length;
        do {
            length = in.read(buffer);
            underWay.put(new Chunk(Arrays.copyOf(buffer, Math.max(0, length)), System.nanoTime(), length < 0));
        } while (length >= 0);
    }

    private void write() throws IOException, InterruptedException {
        Chunk chunk;
        do {
            chunk = underWay.take();
            weather.awaitPassage(chunk.cameAt());
            passed.addAndGet(chunk.bytes().length);
            to.getOutputStream().write(chunk.bytes());
        } while (!chunk.isLast());
        to.shutdownOutput();
    }

    private record Chunk(byte[] bytes, long cameAt, boolean isLast) {}

    private interface Work {
        void run() throws IOException, InterruptedException;
    }
}
