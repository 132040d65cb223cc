package dev.hotstate.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events line by line: hands on those that are a {@code line}, and notes the {@code end}. */
final class EventLines {
    private final Consumer<JsonNode> line;
    private String event = "";
    private String data = "";
    private @Nullable String id;
    private boolean ended;

    EventLines(Consumer<JsonNode> line) {
        this.line = line;
    }

    /** A connection that breaks is an end of the stream, though not of what is read. */
    void read(Stream<String> lines) {
        event = "";
        data = "";
        try {
            lines.takeWhile(text -> !ended).forEach(this::take);
        } catch (UncheckedIOException broken) {
            // Whoever reads goes on after the last id.
        }
    }

    Optional<String> last() {
        return Optional.ofNullable(id);
    }

    boolean ended() {
        return ended;
    }

    private void take(String text) {
        if (text.startsWith("event: ")) {
            event = text.substring(7);
        } else if (text.startsWith("data: ")) {
            data = text.substring(6);
        } else if (text.startsWith("id: ")) {
            id = text.substring(4);
        } else if (text.isEmpty()) {
            ended = event.equals("end");
            if (event.equals("line")) {
                line.accept(ServerOptions.json(data));
            }
            event = "";
        }
    }
}
