package dev.hotstate.core;

import dev.hotstate.core.KeyFamily.Field;

/**
 * Estimates the memory of keys before there are any, from a family's typical size: the encodings, structures and default
 * settings of Redis 7.0 on 64 bits, with the allocation classes of jemalloc.
 *
 * <p>For text of the stated length the estimate of a key is within 25 % of {@code MEMORY USAGE … SAMPLES 0} of a
 * standalone Redis, also of one that was built with libc's allocator, whose overheads differ. Numbers take less (Redis
 * packs them), a key on Cluster 16 bytes more, and Redis 7.2 and later packs small sets and lists tighter.
 */
public final class MemoryModel {
    private static final int OBJECT = 16;
    private static final int DICT = 56;
    private static final int DICT_ENTRY = 24;
    private static final int POINTER = 8;

    private static final int HASH_LISTPACK_ENTRIES = 512;
    private static final int ZSET_LISTPACK_ENTRIES = 128;
    private static final int LISTPACK_VALUE = 64;
    private static final int LISTPACK_FRAME = 7;

    /** A score of a whole number, such as a time in milliseconds, in a listpack. */
    private static final int PACKED_SCORE = 10;

    private static final int ZSET = 16 + 32 + 640;

    /** A skiplist node has 1 1/3 levels on average. */
    private static final double SKIPLIST_NODE = 46;

    private static final int QUICKLIST = 40;
    private static final int QUICKLIST_NODE = 32;
    private static final int QUICKLIST_NODE_BYTES = 8192;

    private static final int STREAM = 80;
    private static final int STREAM_NODE_BYTES = 4096;
    private static final int STREAM_NODE_ENTRIES = 100;

    /** Flags, time and sequence since the node's first, and the count of an entry, each with its length. */
    private static final int STREAM_ENTRY = 14;

    /** What MEMORY USAGE assumes for a node of the radix tree over a stream's nodes, and the id that it leads to. */
    private static final int RADIX_NODE = 244;

    private static final int RADIX_ID = 16;

    private MemoryModel() {}

    /** A typical key of the family, its name included. */
    public static long bytesPerKey(Keyspace keyspace, KeyFamily family) {
        return bytesPerKey(keyspace, family, family.typical().elements());
    }

    /** A key of the family with so many elements of the typical size. */
    public static long bytesPerKey(Keyspace keyspace, KeyFamily family, long elements) {
        int name = keyspace.prefix().length() + 1 + family.example().length();
        return DICT_ENTRY
                + string(name)
                + value(family, elements, family.typical().elementBytes());
    }

    /**
     * So many keys of the family with so many elements each. Unlike {@code MEMORY USAGE} this counts their places in
     * Redis's own tables too: some 12 bytes a key, and 36 more where it expires.
     */
    public static long bytes(Keyspace keyspace, KeyFamily family, long keys, long elements) {
        int places = 12 + (family.lifetime() instanceof Lifetime.Expires ? DICT_ENTRY + 12 : 0);
        return keys * (bytesPerKey(keyspace, family, elements) + places);
    }

    private static long value(KeyFamily family, long elements, int bytes) {
        return switch (family.type()) {
            case STRING -> stringValue(elements * bytes);
            case HASH -> hash(elements, nameBytes(family, elements), bytes);
            case SET -> OBJECT + table(elements) + elements * (DICT_ENTRY + string(bytes));
            case ZSET -> zset(elements, bytes);
            case LIST -> list(elements, bytes);
            case STREAM -> stream(family, elements, bytes);
        };
    }

    private static long stringValue(long length) {
        return length <= 44 ? allocated(OBJECT + 3 + length + 1) : OBJECT + string(length);
    }

    /** The declared names where a key has just these fields; else half of an element is its name. */
    private static int nameBytes(KeyFamily family, long elements) {
        int names = fieldNames(family);
        int half = family.typical().elementBytes() / 2;
        return family.fields().size() == elements ? (int) Math.min(names / elements, half) : half;
    }

    private static int fieldNames(KeyFamily family) {
        return family.fields().stream()
                .map(Field::name)
                .mapToInt(String::length)
                .sum();
    }

    private static long hash(long elements, int name, int bytes) {
        int value = bytes - name;
        if (elements <= HASH_LISTPACK_ENTRIES && Math.max(name, value) <= LISTPACK_VALUE) {
            return OBJECT + allocated(LISTPACK_FRAME + elements * (packed(name) + packed(value)));
        }
        return OBJECT + table(elements) + elements * (DICT_ENTRY + string(name) + string(value));
    }

    private static long zset(long elements, int member) {
        if (elements <= ZSET_LISTPACK_ENTRIES && member <= LISTPACK_VALUE) {
            return OBJECT + allocated(LISTPACK_FRAME + elements * (packed(member) + PACKED_SCORE));
        }
        double each = string(member) + DICT_ENTRY + SKIPLIST_NODE;
        return OBJECT + ZSET + table(elements) + Math.round(elements * each);
    }

    private static long list(long elements, int bytes) {
        long entry = packed(bytes);
        long aNode = Math.max(1, (QUICKLIST_NODE_BYTES - LISTPACK_FRAME - 8) / entry);
        long full = elements / aNode;
        long rest = elements % aNode;
        long nodes = full * (QUICKLIST_NODE + allocated(LISTPACK_FRAME + aNode * entry));
        return OBJECT + QUICKLIST + nodes + (rest == 0 ? 0 : QUICKLIST_NODE + allocated(LISTPACK_FRAME + rest * entry));
    }

    /** A node names its fields once; the last node is allocated in full, the others are shrunk to what they hold. */
    private static long stream(KeyFamily family, long elements, int bytes) {
        int fields = Math.max(1, family.fields().size());
        int names = Math.min(fieldNames(family), bytes / 2);
        long entry = STREAM_ENTRY + fields * packed((bytes - names) / fields);
        long first = LISTPACK_FRAME + 8 + names + 2L * fields;
        long aNode = Math.clamp((STREAM_NODE_BYTES - first) / entry, 1, STREAM_NODE_ENTRIES);
        long nodes = (elements + aNode - 1) / aNode;
        long last = allocated(Math.max(STREAM_NODE_BYTES, first + entry));
        long tree = nodes * RADIX_ID + radixNodes(nodes) * RADIX_NODE;
        return OBJECT + STREAM + tree + (nodes - 1) * allocated(first + aNode * entry) + last;
    }

    /** A leaf for each node of the stream, the way to it where ids part, and the root. */
    private static long radixNodes(long nodes) {
        return nodes == 1 ? 2 : 2 * nodes + 1;
    }

    private static long table(long elements) {
        long slots = 4;
        while (slots < elements) {
            slots *= 2;
        }
        return DICT + slots * POINTER;
    }

    /** A string in memory of its own: its header grows with its length. */
    private static long string(long length) {
        int header = length < 32 ? 1 : length < 256 ? 3 : length < 65_536 ? 5 : 9;
        return allocated(header + length + 1);
    }

    /** A string in a listpack, with its length in front and its way back behind. */
    private static long packed(long length) {
        long front = length < 64 ? 1 : length < 4096 ? 2 : 5;
        return front + length + (front + length < 128 ? 1 : front + length < 16_383 ? 2 : 3);
    }

    /** The allocation class that holds so many bytes: steps of 8 up to 64, then four classes to each doubling. */
    private static long allocated(long bytes) {
        long step = 8;
        for (long group = 64; group < bytes; group *= 2) {
            step = group / 4;
        }
        return (bytes + step - 1) / step * step;
    }
}
