package dev.hotstate.bench.monitors;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the monitors of the benchmark watch: answers every GET at once with an empty 200, and notes when each monitor first
 * asked since it was last told to {@link #forget}. On several ports, since one has too few connections to give.
 */
final class Responder implements AutoCloseable {
    private static final int PORTS = 8;
    private static final int BACKLOG = 4_096;
    private static final byte[] ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII);

    private final List<ServerSocket> doors = new ArrayList<>();
    private final AtomicLongArray firstAsked;
    private final LongAdder asked = new LongAdder();

    /** @param monitors how many there are; each is known by its number */
    Responder(int monitors) {
        firstAsked = new AtomicLongArray(monitors);
        try {
            for (int i = 0; i < PORTS; i++) {
                ServerSocket door = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
                doors.add(door);
                Thread.ofVirtual().start(() -> admit(door));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    String url(int monitor) {
        return "http://127.0.0.1:" + doors.get(monitor % PORTS).getLocalPort() + "/" + monitor;
    }

    void forget() {
        for (int i = 0; i < firstAsked.length(); i++) {
            firstAsked.set(i, 0);
        }
    }

    /** How often anybody asked. */
    long asked() {
        return asked.sum();
    }

    /** When it first asked, in milliseconds of the wall clock; 0 if it has not. */
    long firstAsked(int monitor) {
        return firstAsked.get(monitor);
    }

    boolean heardFromAll() {
        for (int i = 0; i < firstAsked.length(); i++) {
            if (firstAsked.get(i) == 0) {
                return false;
            }
        }
        return true;
    }

    private void admit(ServerSocket door) {
        while (!door.isClosed()) {
            try {
                Socket caller = door.accept();
                Thread.ofVirtual().start(() -> answer(caller));
            } catch (IOException closed) {
                // The next look says whether it is the door.
            }
        }
    }

    private void answer(Socket caller) {
        try (caller) {
            caller.setTcpNoDelay(true);
            BufferedReader in = new BufferedReader(new InputStreamReader(caller.getInputStream(), US_ASCII), 512);
            OutputStream out = caller.getOutputStream();
            String request;
            while ((request = in.readLine()) != null) {
                note(request);
                String header = request;
                while (header != null && !header.isEmpty()) {
                    header = in.readLine();
                }
                out.write(ANSWER);
                out.flush();
            }
        } catch (IOException gone) {
            // It has what it wanted, or asks again.
        }
    }

    private void note(String request) {
        int from = request.indexOf('/') + 1;
        int monitor = Integer.parseInt(request.substring(from, request.indexOf(' ', from)));
        firstAsked.compareAndSet(monitor, 0, Site.CLOCK.millis());
        asked.increment();
    }

    @Override
    public void close() {
        for (ServerSocket door : doors) {
            try {
                door.close();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
