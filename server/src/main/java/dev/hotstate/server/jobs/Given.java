package dev.hotstate.server.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.core.Fence;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What workers send, as the doors take it. */
final class Given {
    static final int LARGEST_RESULT = 256 * 1024;

    /** Nobody is ever given this one. */
    private static final Fence NOBODYS = new Fence(0, 0);

    private Given() {}

    /** A fence is an opaque word to a worker: one that cannot be read was never given out, and is as good as stale. */
    static Fence fence(@Nullable String text) {
        try {
            return Fence.parse(Objects.requireNonNullElse(text, ""));
        } catch (IllegalArgumentException unreadable) {
            return NOBODYS;
        }
    }

    static @Nullable String result(@Nullable JsonNode result, String field, Check check) {
        if (result == null || result.isNull()) {
            return null;
        }
        String json = Json.text(result);
        check.that(
                json.getBytes(StandardCharsets.UTF_8).length <= LARGEST_RESULT,
                field,
                "must be at most " + LARGEST_RESULT + " bytes as JSON");
        return json;
    }

    /** A text of several lines is several lines. */
    static List<String> lines(@Nullable List<@Nullable String> lines, String field, Check check) {
        var given = Objects.requireNonNullElse(lines, List.<@Nullable String>of());
        for (int i = 0; i < given.size(); i++) {
            check.given(given.get(i), field + "[" + i + "]");
        }
        return given.stream()
                .filter(Objects::nonNull)
                .flatMap(line -> line.isEmpty() ? List.of("").stream() : line.lines())
                .toList();
    }
}
