package dev.hotstate.jobs.work;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/** What a command prints: line by line into the log, and the last {@value #KEPT} bytes for its result. */
final class ShellOutput {
    static final int KEPT = 64 * 1024;
    private static final int LONGEST_LINE = 4_096;

    private final Consumer<String> log;
    private final byte[] ring = new byte[KEPT];
    private long written;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private String last = "";

    ShellOutput(Consumer<String> log) {
        this.log = log;
    }

    /** Until its end, or until it is closed. However much there is, what is held of it is bounded. */
    void read(InputStream from) {
        byte[] part = new byte[8 * 1024];
        try (from) {
            for (int n = from.read(part); n >= 0; n = from.read(part)) {
                add(part, n);
            }
        } catch (IOException closed) {
            // Who closed it wants no more.
        }
        endLine();
    }

    /** The end of what was printed, from the beginning of a character. */
    synchronized String tail() {
        int from = written <= KEPT ? 0 : (int) (written % KEPT);
        int length = (int) Math.min(written, KEPT);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = ring[(from + i) % KEPT];
        }
        int begin = 0;
        while (written > KEPT && begin < 4 && (bytes[begin] & 0xC0) == 0x80) {
            begin++;
        }
        return new String(Arrays.copyOfRange(bytes, begin, length), UTF_8);
    }

    /** The last line that says something. */
    synchronized String lastLine() {
        return last;
    }

    private synchronized void add(byte[] part, int length) {
        for (int i = 0; i < length; i++) {
            ring[(int) (written++ % KEPT)] = part[i];
            if (part[i] == '\n') {
                endLine();
            } else if (line.size() < LONGEST_LINE) {
                line.write(part[i]);
            }
        }
    }

    private synchronized void endLine() {
        if (line.size() == 0) {
            return;
        }
        String text = line.toString(UTF_8).stripTrailing();
        line.reset();
        if (!text.isBlank()) {
            last = text.length() > 500 ? text.substring(0, 500) : text;
        }
        log.accept(text);
    }
}
