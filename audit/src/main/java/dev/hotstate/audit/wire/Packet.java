package dev.hotstate.audit.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Commands on their way out, in one array that is used again. */
final class Packet {
    private byte[] bytes = new byte[16 * 1024];
    private int length;

    int length() {
        return length;
    }

    /** A line of the protocol: {@code *3} or {@code $12}. */
    void size(char sign, int number) {
        room(16);
        bytes[length++] = (byte) sign;
        int digits = 1;
        for (int rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        int rest = number;
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        bytes[length++] = '\r';
        bytes[length++] = '\n';
    }

    void add(byte[] from, int start, int end) {
        room(end - start);
        System.arraycopy(from, start, bytes, length, end - start);
        length += end - start;
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, length);
        out.flush();
        length = 0;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
        }
    }
}
