package dev.hotstate.audit.scan;

/** The slot of a name on a cluster: CRC16 (XMODEM) of its hash tag, or of all of it, modulo 16384. */
final class Slots {
    static final int COUNT = 16_384;

    private static final int[] TABLE = new int[256];

    static {
        for (int i = 0; i < 256; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ 0x1021;
            }
            TABLE[i] = crc & 0xffff;
        }
    }

    private Slots() {}

    static int of(byte[] bytes, int from, int to) {
        int open = indexOf('{', bytes, from, to);
        int close = open < 0 ? -1 : indexOf('}', bytes, open + 1, to);
        boolean tagged = close > open + 1;
        int crc = 0;
        for (int i = tagged ? open + 1 : from; i < (tagged ? close : to); i++) {
            crc = (crc << 8 ^ TABLE[(crc >>> 8 ^ bytes[i]) & 0xff]) & 0xffff;
        }
        return crc % COUNT;
    }

    private static int indexOf(char sign, byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == sign) {
                return i;
            }
        }
        return -1;
    }
}
