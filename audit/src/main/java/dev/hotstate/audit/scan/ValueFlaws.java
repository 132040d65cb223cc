package dev.hotstate.audit.scan;

/** What is wrong with a value by itself. */
final class ValueFlaws {
    /** Document 001: a value of more bytes is packed or compressed. */
    static final int LARGE = 1024;

    /** What takes milliseconds to read or to delete. */
    static final long BIG_BYTES = 1024 * 1024;

    static final long BIG_ELEMENTS = 10_000;

    /** A key asked for a million times, or so: the counter is logarithmic. */
    static final long HOT = 200;

    private ValueFlaws() {}

    /** Whether a value is a document: an object with a name in it, or an array of something. */
    static boolean isJson(byte[] value) {
        int from = 0;
        int to = value.length;
        while (from < to && isSpace(value[from])) {
            from++;
        }
        while (to > from && isSpace(value[to - 1])) {
            to--;
        }
        if (to - from < 2) {
            return false;
        }
        return value[from] == '{' && value[to - 1] == '}' && isName(value, from + 1)
                || value[from] == '[' && value[to - 1] == ']' && isElement(value, from + 1);
    }

    /** From its first bytes: a value in whole would take long. Compressed and packed values have bytes that no text has. */
    static boolean isText(byte[] beginning) {
        for (int i = 0; i < Math.min(64, beginning.length); i++) {
            byte c = beginning[i];
            if (c >= 0 && c < ' ' && !isSpace(c)) {
                return false;
            }
        }
        // MessagePack's maps and arrays, and the first byte of most frames, are no beginning of UTF-8.
        int first = beginning.length == 0 ? 0 : beginning[0] & 0xff;
        return beginning.length > 0 && (first < 0x80 || first >= 0xc3 && first <= 0xf4 && isContinued(beginning));
    }

    private static boolean isContinued(byte[] beginning) {
        return beginning.length > 1 && (beginning[1] & 0xc0) == 0x80;
    }

    private static boolean isName(byte[] value, int at) {
        int next = at;
        while (next < value.length && isSpace(value[next])) {
            next++;
        }
        return next < value.length && value[next] == '"';
    }

    private static boolean isElement(byte[] value, int at) {
        int next = at;
        while (next < value.length && isSpace(value[next])) {
            next++;
        }
        byte c = next < value.length ? value[next] : 0;
        return c == '"' || c == '{' || c == '[' || c == '-' || c >= '0' && c <= '9' || c == 't' || c == 'f' || c == 'n';
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }
}
