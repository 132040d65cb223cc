package dev.hotstate.audit.wire;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What Redis answered. */
public sealed interface Reply {
    record Text(byte[] bytes) implements Reply {
        @Override
        public String toString() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    record Whole(long value) implements Reply {
        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    record Many(List<Reply> items) implements Reply {}

    record Nothing() implements Reply {
        @Override
        public String toString() {
            return "";
        }
    }

    /** The server's words: {@code NOPERM this user has no permissions …}. */
    record Refused(String words) implements Reply {
        public boolean isForRights() {
            return words.startsWith("NOPERM") || words.startsWith("NOAUTH");
        }

        /** Who does not know a command has another name for it, is older, or was told to forget it. */
        public boolean isUnknown() {
            return words.contains("unknown command") || words.contains("nknown subcommand") || words.contains("syntax");
        }
    }

    default String text() {
        return toString();
    }

    /** The items of an array; none of what is no array. */
    default List<Reply> items() {
        return this instanceof Many many ? many.items : List.of();
    }

    /** A number, also one that came as text; 0 of what is none. */
    default long number() {
        if (this instanceof Whole whole) {
            return whole.value;
        }
        try {
            return this instanceof Text text ? Long.parseLong(text.toString().trim()) : 0;
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    /** An array of names and values, in its order. */
    default Map<String, Reply> pairs() {
        Map<String, Reply> pairs = new LinkedHashMap<>();
        List<Reply> items = items();
        for (int i = 0; i + 1 < items.size(); i += 2) {
            pairs.put(items.get(i).text(), items.get(i + 1));
        }
        return pairs;
    }
}
