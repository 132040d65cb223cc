package dev.hotstate.monitors.alert;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.stream.Collectors;

/** A message in Slack's words. */
final class SlackText {
    // Slack cuts texts at 40,000 characters, and people read no more than a few lines.
    private static final int LONGEST_LINE = 500;
    private static final JsonMapper JSON = new JsonMapper();

    private SlackText() {}

    static String json(Message message) {
        String details = Wording.details(message).stream()
                .map(line -> escaped(Text.oneLine(line, LONGEST_LINE)))
                .collect(Collectors.joining("\n"));
        return JSON.createObjectNode()
                .put("text", "*" + escaped(Wording.headline(message)) + "*\n" + details)
                .put("unfurl_links", false)
                .put("unfurl_media", false)
                .toString();
    }

    /** Slack's own three: without them a monitor's name could be {@code <!channel>}, and wake everybody. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
