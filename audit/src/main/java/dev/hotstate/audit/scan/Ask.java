package dev.hotstate.audit.scan;

import dev.hotstate.audit.wire.Words;
import java.util.Arrays;
import java.util.List;

/**
 * The commands that look at one key: words, the key, words. All of them only read, and none takes long: MEMORY USAGE looks
 * at five elements unless told otherwise.
 */
public enum Ask {
    TYPE("TYPE", ""),
    PTTL("PTTL", ""),
    MEMORY("MEMORY USAGE", ""),
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

    /** As it is sent around a key. */
    final Words words;

    Ask(String command, String after) {
        this.command = command;
        this.words = Words.around(command, after);
    }

    /** As in the documentation of Redis. */
    public String command() {
        return command;
    }

    public static List<String> commands() {
        return Arrays.stream(values()).map(Ask::command).toList();
    }
}
