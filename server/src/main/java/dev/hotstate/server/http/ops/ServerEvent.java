package dev.hotstate.server.http.ops;

import java.util.Optional;

/**
 * Something that happened, as {@code /events} tells it.
 *
 * @param id where to go on after it; empty for one that is not kept
 * @param name {@code topic.verb}, or {@code reset}: what came before cannot be told any more, so look anew
 * @param json its data, on one line
 */
public record ServerEvent(Optional<String> id, String name, String json) {
    public ServerEvent {
        refuseLineBreaks("id", id.orElse(""));
        refuseLineBreaks("name", name);
        refuseLineBreaks("json", json);
    }

    private static void refuseLineBreaks(String field, String text) {
        if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
            throw new IllegalArgumentException(field + " must be on one line, not \"" + text + "\"");
        }
    }
}
