package dev.hotstate.monitors.history;

import java.io.ByteArrayOutputStream;

/** Numbers from 0 on in seven bits a byte, the lowest first: small ones take one byte. */
final class Varints {
    private Varints() {}

    static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        void put(long number) {
            if (number < 0) {
                throw new IllegalArgumentException("only numbers from 0 on are written, not " + number);
            }
            long rest = number;
            for (; rest >= 0x80; rest >>>= 7) {
                bytes.write((int) (rest & 0x7f | 0x80));
            }
            bytes.write((int) rest);
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }
    }

    static final class Reader {
        private final byte[] bytes;
        private int at;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        boolean hasNext() {
            return at < bytes.length;
        }

        long next() {
            long number = 0;
            for (int shift = 0; shift < 63; shift += 7) {
                if (at == bytes.length) {
                    throw new IllegalArgumentException("a number is cut off after " + at + " bytes");
                }
                byte next = bytes[at++];
                number |= (next & 0x7fL) << shift;
                if (next >= 0) {
                    return number;
                }
            }
            throw new IllegalArgumentException("a number is too long before byte " + at);
        }
    }
}
