package dev.hotstate.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** A stream to a client that is cut when one write takes it too long: it does not read, and must hold nobody up. */
final class GuardedOutput extends OutputStream {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final OutputStream out;
    private final Watchdog watchdog;

    GuardedOutput(OutputStream out, Watchdog watchdog) {
        this.out = out;
        this.watchdog = watchdog;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        var guard = watchdog.within(LONGEST);
        try {
            out.write(bytes, offset, length);
        } finally {
            guard.close();
        }
    }

    @Override
    public void flush() throws IOException {
        var guard = watchdog.within(LONGEST);
        try {
            out.flush();
        } finally {
            guard.close();
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
