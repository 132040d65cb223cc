package dev.hotstate.audit.scan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A number for a name, the same on every machine, that says nothing of the name: samples are chosen by it. */
final class NameHash {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ODD = 0x9E3779B97F4A7C15L;

    private NameHash() {}

    static long of(long seed, byte[] bytes, int from, int to) {
        long hash = seed * ODD ^ (to - from);
        int at = from;
        for (; at + 8 <= to; at += 8) {
            hash = mixed(hash ^ (long) EIGHT.get(bytes, at));
        }
        long last = 0;
        for (; at < to; at++) {
            last = last << 8 | bytes[at] & 0xff;
        }
        return mixed(mixed(hash ^ last));
    }

    private static long mixed(long value) {
        long product = value * ODD;
        return product ^ product >>> 32;
    }
}
