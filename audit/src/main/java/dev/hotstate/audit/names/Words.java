package dev.hotstate.audit.names;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.hotstate.audit.schema.Kinds;
import dev.hotstate.audit.schema.Variable;
import dev.hotstate.audit.schema.Variable.Kind;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/** What the values of one place look like. */
final class Words {
    /** As many of one skeleton are made by a counter, fewer are {@code v1} and {@code v2}. */
    private static final int OF_A_SKELETON = 3;

    private static final int LONG = 20;

    private Words() {}

    /** Those that no person chose. */
    static Set<String> ids(Collection<String> values) {
        Set<String> ids = new HashSet<>();
        Map<String, Set<String>> skeletons = new HashMap<>();
        for (String value : values) {
            if (isId(value)) {
                ids.add(value);
            } else if (value.chars().anyMatch(Words::isDigit)) {
                skeletons
                        .computeIfAbsent(skeleton(value), one -> new HashSet<>())
                        .add(value);
            }
        }
        skeletons.values().stream().filter(same -> same.size() >= OF_A_SKELETON).forEach(ids::addAll);
        return ids;
    }

    /** The narrowest that takes all of them; hexadecimal only where there are enough to be sure. */
    static Kind kind(Collection<String> values) {
        if (values.isEmpty() || values.stream().anyMatch(value -> !all(value, Kind.ID))) {
            return Kind.ANY;
        }
        if (values.stream().allMatch(value -> all(value, Kind.UUID))) {
            return Kind.UUID;
        }
        if (values.stream().allMatch(value -> all(value, Kind.DIGITS))) {
            return Kind.DIGITS;
        }
        boolean hex =
                values.size() >= 20 && values.stream().allMatch(value -> value.length() >= 8 && all(value, Kind.HEX));
        return hex ? Kind.HEX : Kind.ID;
    }

    private static boolean isId(String value) {
        boolean digit = value.chars().anyMatch(Words::isDigit);
        return all(value, Kind.DIGITS)
                || all(value, Kind.UUID)
                || digit && value.length() >= 8 && all(value, Kind.HEX)
                || digit && value.length() >= LONG
                || value.chars().anyMatch(c -> c < ' ' || c > '~');
    }

    /** Digits as one sign; letters of a mixed word as another, so that {@code a1b2} and {@code c3d4} are alike. */
    private static String skeleton(String value) {
        String digits = runs(value, Words::isDigit, '#');
        return isOneNumber(digits) ? digits : runs(digits, Words::isLetter, 'a');
    }

    /** Letters, perhaps a sign, and one number at the end: a prefix that somebody chose. */
    private static boolean isOneNumber(String digits) {
        int at = 0;
        while (isLetter(digits.charAt(at))) {
            at++;
        }
        at += "_.-".indexOf(digits.charAt(at)) >= 0 ? 1 : 0;
        return at == digits.length() - 1 && digits.charAt(at) == '#';
    }

    /** Each run of such characters as one sign. Ten thousands of values are looked at, too many for expressions. */
    private static String runs(String value, IntPredicate such, char sign) {
        StringBuilder shorter = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!such.test(c)) {
                shorter.append(c);
            } else if (i == 0 || !such.test(value.charAt(i - 1))) {
                shorter.append(sign);
            }
        }
        return shorter.toString();
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    private static boolean all(String value, Kind kind) {
        byte[] bytes = value.getBytes(ISO_8859_1);
        return Kinds.admits(new Variable("x", kind, 0), bytes, 0, bytes.length);
    }
}
