package dev.hotstate.bench.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.hotstate.bench.drill.JvmProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A client of the same Redis that asks for one key about a thousand times a second, and times each answer. It is a process
 * of its own, since in ours it would stand still whenever our memory is tidied up.
 */
public final class Bystander {
    private static final Duration BETWEEN = Duration.ofMillis(1);
    private static final String ANSWER = "p99 ";

    private Bystander() {}

    /** @return in microseconds, what 99 of 100 answers took at most */
    public static double p99(int port, String key, Duration length) {
        try {
            Path log = Files.createTempFile("bystander", ".log");
            JvmProcess.Program program = new JvmProcess.Program(
                    List.of("-Xmx64m", "-XX:+UseSerialGC"),
                    JvmProcess.classPath(),
                    List.of(Bystander.class.getName(), Integer.toString(port), key, Long.toString(length.toMillis())),
                    ANSWER);
            try (JvmProcess process = JvmProcess.start(program, Map.of(), Path.of("."), log)) {
                return Double.parseDouble(process.said());
            } finally {
                Files.delete(log);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** With the port, the key and the milliseconds that it takes; as long again before that count for nothing. */
    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        long length = Duration.ofMillis(Long.parseLong(args[2])).toNanos();
        byte[] get = ("*2\r\n$3\r\nGET\r\n$" + args[1].length() + "\r\n" + args[1] + "\r\n").getBytes(US_ASCII);
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setTcpNoDelay(true);
            times(socket, get, length);
            List<Long> times = times(socket, get, length);
            times.sort(null);
            System.out.println(ANSWER + times.get((int) (times.size() * 0.99)) / 1e3);
        }
    }

    private static List<Long> times(Socket socket, byte[] get, long length) throws IOException {
        OutputStream out = socket.getOutputStream();
        InputStream in = socket.getInputStream();
        byte[] answer = new byte[4096];
        List<Long> times = new ArrayList<>();
        long end = System.nanoTime() + length;
        while (System.nanoTime() < end) {
            long sent = System.nanoTime();
            out.write(get);
            if (in.read(answer) < 0) {
                throw new IOException("Redis hung up");
            }
            times.add(System.nanoTime() - sent);
            LockSupport.parkNanos(BETWEEN.toNanos());
        }
        return times;
    }
}
