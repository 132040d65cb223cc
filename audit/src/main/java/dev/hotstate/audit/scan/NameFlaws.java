package dev.hotstate.audit.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** What is wrong with a name by itself. */
final class NameFlaws {
    /** Document 001: keys have fewer bytes than this. */
    static final int LONG = 100;

    private NameFlaws() {}

    /** Control characters, or bytes that are no UTF-8. Most names are plain ASCII, and one look is enough. */
    static boolean isUnprintable(byte[] bytes, int from, int to) {
        boolean plain = true;
        for (int i = from; i < to; i++) {
            byte c = bytes[i];
            if (c >= 0 && c < ' ' || c == 127) {
                return true;
            }
            plain &= c >= 0;
        }
        return !plain && !isText(bytes, from, to);
    }

    private static boolean isText(byte[] bytes, int from, int to) {
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                    .codePoints()
                    .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT);
        } catch (CharacterCodingException binary) {
            return false;
        }
    }
}
