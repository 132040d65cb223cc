package dev.hotstate.bench.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A client of the same Redis that asks for one key about a thousand times a second, and times each answer. */
public final class Bystander {
    private static final Duration BETWEEN = Duration.ofMillis(1);

    private Bystander() {}

    /** @return in microseconds, what 99 of 100 answers took at most */
    public static double p99(int port, String key, Duration length) {
        byte[] get = ("*2\r\n$3\r\nGET\r\n$" + key.length() + "\r\n" + key + "\r\n").getBytes(US_ASCII);
        List<Long> times = new ArrayList<>();
        byte[] answer = new byte[4096];
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            long end = System.nanoTime() + length.toNanos();
            while (System.nanoTime() < end) {
                long sent = System.nanoTime();
                out.write(get);
                if (in.read(answer) < 0) {
                    throw new IOException("Redis hung up");
                }
                times.add(System.nanoTime() - sent);
                LockSupport.parkNanos(BETWEEN.toNanos());
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        times.sort(null);
        return times.get((int) (times.size() * 0.99)) / 1e3;
    }
}
