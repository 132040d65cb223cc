package dev.hotstate.store;

import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.Collection;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A value as PostgreSQL reads it in text form. */
final class PostgresText {
    private PostgresText() {}

    static @Nullable String of(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case String text -> storable(text);
            case Enum<?> constant -> constant.name();
            case byte[] bytes -> "\\x" + HexFormat.of().formatHex(bytes);
            case Collection<?> elements -> array(elements);
            case Number number -> number.toString();
            case Boolean flag -> flag.toString();
            case UUID id -> id.toString();
            case Temporal time -> time.toString();
            case Duration duration -> duration.toString();
            default ->
                throw new IllegalArgumentException(
                        "cannot store a " + value.getClass().getName());
        };
    }

    // PostgreSQL's text holds every Unicode character but U+0000, and no half of a surrogate pair. Found here, the
    // mistake has its column's name; found there, COPY would have turned the half pair into a question mark.
    private static String storable(String text) {
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            if (character == 0 || (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE)) {
                throw new IllegalArgumentException(
                        "cannot store the character U+%04X at position %d".formatted(character, i));
            }
            i += Character.charCount(character);
        }
        return text;
    }

    private static String array(Collection<?> elements) {
        StringBuilder array = new StringBuilder("{");
        for (Object element : elements) {
            if (array.length() > 1) {
                array.append(',');
            }
            append(array, element);
        }
        return array.append('}').toString();
    }

    private static void append(StringBuilder array, @Nullable Object element) {
        String text = of(element);
        if (text == null || element instanceof Number || element instanceof Boolean) {
            array.append(text == null ? "NULL" : text);
        } else {
            array.append('"')
                    .append(text.replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        }
    }
}
