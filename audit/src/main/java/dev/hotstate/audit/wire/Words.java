package dev.hotstate.audit.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;

/** The words of a command around the name of a key, made ready once: they are sent for each of millions of keys. */
public final class Words {
    private static final byte[] END = {'\r', '\n'};

    final byte[] before;
    final byte[] after;

    private Words(byte[] before, byte[] after) {
        this.before = before;
        this.after = after;
    }

    /**
     * @param before such as {@code MEMORY USAGE}
     * @param after such as {@code 0 COUNT 100}; may be empty
     */
    public static Words around(String before, String after) {
        return around(before, after.isEmpty() ? List.of() : List.of(after.split(" ", -1)));
    }

    /** With any text after it, spaces and all. */
    public static Words around(String before, List<String> after) {
        List<String> first = List.of(before.split(" ", -1));
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.writeBytes(("*" + (first.size() + 1 + after.size()) + "\r\n").getBytes(UTF_8));
        first.forEach(word -> add(head, word));
        ByteArrayOutputStream tail = new ByteArrayOutputStream();
        tail.writeBytes(END);
        after.forEach(word -> add(tail, word));
        return new Words(head.toByteArray(), tail.toByteArray());
    }

    private static void add(ByteArrayOutputStream bytes, String word) {
        byte[] encoded = word.getBytes(UTF_8);
        bytes.writeBytes(("$" + encoded.length + "\r\n").getBytes(UTF_8));
        bytes.writeBytes(encoded);
        bytes.writeBytes(END);
    }
}
