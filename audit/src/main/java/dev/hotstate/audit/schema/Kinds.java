package dev.hotstate.audit.schema;

/** Whether bytes are a value of a variable. */
public final class Kinds {
    private Kinds() {}

    public static boolean admits(Variable variable, byte[] name, int from, int to) {
        int length = to - from;
        if (length < 1 || variable.maxBytes() > 0 && length > variable.maxBytes()) {
            return false;
        }
        return switch (variable.kind()) {
            case ANY, REST -> true;
            case UUID -> isUuid(name, from, to);
            case TEXT -> isText(name, from, to);
            case ID -> {
                for (int i = from; i < to; i++) {
                    if (!isIdCharacter(name[i])) {
                        yield false;
                    }
                }
                yield true;
            }
            case DIGITS -> {
                for (int i = from; i < to; i++) {
                    if (!isDigit(name[i])) {
                        yield false;
                    }
                }
                yield true;
            }
            case HEX -> {
                for (int i = from; i < to; i++) {
                    if (!isHex(name[i])) {
                        yield false;
                    }
                }
                yield true;
            }
        };
    }

    static boolean isUuid(byte[] name, int from, int to) {
        if (to - from != 36) {
            return false;
        }
        for (int i = 0; i < 36; i++) {
            byte c = name[from + i];
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            if (dash ? c != '-' : !isHex(c)) {
                return false;
            }
        }
        return true;
    }

    static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    static boolean isHex(byte c) {
        return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
    }

    static boolean isIdCharacter(byte c) {
        return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '_' || c == '-';
    }

    /** As core's families encode text: printable ASCII, and what is not as {@code %XX}. */
    private static boolean isText(byte[] name, int from, int to) {
        for (int i = from; i < to; i++) {
            byte c = name[i];
            if (c == '%') {
                if (i + 2 >= to || !isHex(name[i + 1]) || !isHex(name[i + 2])) {
                    return false;
                }
                i += 2;
            } else if (c < ' ' || c > '~' || c == '{' || c == '}') {
                return false;
            }
        }
        return true;
    }
}
