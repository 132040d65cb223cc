package dev.hotstate.audit.scan;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.List;

/** The commands that look at one key: words, the key, words. All of them only read, and none takes long. */
public enum Ask {
    TYPE("TYPE", ""),
    PTTL("PTTL", ""),
    MEMORY("MEMORY USAGE", "SAMPLES 5"),
    FREQUENCY("OBJECT FREQ", ""),
    STRLEN("STRLEN", ""),
    BEGINNING("GETRANGE", "0 63"),
    HLEN("HLEN", ""),
    FIELDS("HSCAN", "0 COUNT 100"),
    NAMES("HRANDFIELD", "20"),
    HAS("HEXISTS", "field"),
    LLEN("LLEN", ""),
    SCARD("SCARD", ""),
    ZCARD("ZCARD", ""),
    XLEN("XLEN", "");

    private final String command;
    final byte[][] before;
    final byte[][] after;

    Ask(String command, String after) {
        this.command = command;
        this.before = words(command);
        this.after = words(after);
    }

    /** As in the documentation of Redis. */
    public String command() {
        return command;
    }

    public static List<String> commands() {
        return Arrays.stream(values()).map(Ask::command).toList();
    }

    private static byte[][] words(String text) {
        return text.isEmpty()
                ? new byte[0][]
                : Arrays.stream(text.split(" "))
                        .map(word -> word.getBytes(US_ASCII))
                        .toArray(byte[][]::new);
    }
}
