package dev.hotstate.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Paths and queries as they were sent, decoded strictly: a bad escape and bytes that are not UTF-8 are refused, never
 * guessed at. A path is cut into segments before it is decoded, so an escaped slash stays within one. Control characters
 * are for whoever reads a value to refuse: {@link #printable}.
 */
final class PercentCoding {
    private static final int MOST_PARAMETERS = 100;
    private static final char LAST_ASCII = 0x7f;

    private PercentCoding() {}

    static List<String> segments(String rawPath) {
        if (!rawPath.startsWith("/")) {
            throw Problem.badRequest("The request's target must be a path that begins with \"/\".");
        }
        if (rawPath.equals("/")) {
            return List.of();
        }
        var segments = new ArrayList<String>();
        for (var raw : rawPath.substring(1).split("/", -1)) {
            var segment = decode(raw, false);
            if (segment.equals(".") || segment.equals("..")) {
                throw Problem.badRequest("A path may not contain \".\" or \"..\".");
            }
            segments.add(segment);
        }
        return segments;
    }

    static Map<String, String> parameters(String rawQuery) {
        var parameters = new HashMap<String, String>();
        if (rawQuery.isEmpty()) {
            return parameters;
        }
        for (var pair : rawQuery.split("&")) {
            int equals = pair.indexOf('=');
            var name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
            var value = equals < 0 ? "" : decode(pair.substring(equals + 1), true);
            if (!name.isEmpty() && parameters.put(name, value) != null) {
                throw Problem.invalid(name, "is given twice");
            }
            if (parameters.size() > MOST_PARAMETERS) {
                throw Problem.badRequest("A query has at most " + MOST_PARAMETERS + " parameters.");
            }
        }
        return parameters;
    }

    /** The value, which must have no control character in it. */
    static String printable(String value) {
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw Problem.badRequest("The address contains a control character.");
        }
        return value;
    }

    private static String decode(String raw, boolean plusIsSpace) {
        var bytes = new byte[raw.length()];
        int length = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                int high = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 1), 16) : -1;
                int low = high < 0 ? -1 : Character.digit(raw.charAt(i + 2), 16);
                if (low < 0) {
                    throw Problem.badRequest("The address has a malformed percent-escape.");
                }
                bytes[length++] = (byte) (high << 4 | low);
                i += 2;
            } else if (c > LAST_ASCII) {
                throw Problem.badRequest("The address has a character that is not percent-encoded.");
            } else {
                bytes[length++] = (byte) (c == '+' && plusIsSpace ? ' ' : c);
            }
        }
        return text(bytes, length);
    }

    private static String text(byte[] bytes, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Problem.badRequest("The address is not UTF-8.");
        }
    }
}
