package dev.hotstate.audit.wire;

import java.util.Arrays;

/** Many names in one array: a scan of millions of keys makes no object for each. */
public final class Names {
    private byte[] bytes = new byte[8 * 1024];
    private int[] ends = new int[256];
    private int count;

    public void clear() {
        count = 0;
    }

    public int count() {
        return count;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int from(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    public int to(int index) {
        return ends[index];
    }

    public byte[] copy(int index) {
        return Arrays.copyOfRange(bytes, from(index), to(index));
    }

    public void add(byte[] name) {
        System.arraycopy(name, 0, bytes, room(name.length), name.length);
    }

    /** Makes room for another name of this length, and says where it begins. */
    int room(int length) {
        int from = count == 0 ? 0 : ends[count - 1];
        if (from + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(from + length, bytes.length * 2));
        }
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
        }
        ends[count++] = from + length;
        return from;
    }
}
