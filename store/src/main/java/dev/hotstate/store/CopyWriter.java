package dev.hotstate.store;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;

/**
 * COPY's text format: columns part by tabs, rows end with a newline, a null is {@code \N}. Closed before its end, it takes
 * everything back.
 */
final class CopyWriter implements AutoCloseable {
    private final CopyIn copy;
    private final int limit;
    private final StringBuilder buffer;

    CopyWriter(CopyIn copy, int limit) {
        this.copy = copy;
        this.limit = limit;
        this.buffer = new StringBuilder(limit);
    }

    void line(Stream<@Nullable String> texts) throws SQLException {
        buffer.append(escaped(texts)).append('\n');
        if (buffer.length() >= limit) {
            flush();
        }
    }

    long finish() throws SQLException {
        flush();
        return copy.endCopy();
    }

    @Override
    public void close() throws SQLException {
        if (copy.isActive()) {
            copy.cancelCopy();
        }
    }

    /** One line, without its end. Two rows have the same line only if they have the same texts. */
    static String escaped(Stream<@Nullable String> texts) {
        return texts.map(CopyWriter::escaped).collect(Collectors.joining("\t"));
    }

    private static String escaped(@Nullable String text) {
        return text == null
                ? "\\N"
                : text.replace("\\", "\\\\")
                        .replace("\t", "\\t")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r");
    }

    private void flush() throws SQLException {
        byte[] bytes = buffer.toString().getBytes(StandardCharsets.UTF_8);
        copy.writeToCopy(bytes, 0, bytes.length);
        buffer.setLength(0);
    }
}
