package dev.hotstate.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;

/** Who is denied: a counter's tag, rule and subject. */
record TallySubject(String rule, String tag, String subject) {

    /** As it stands in Redis: its parts, URL-encoded, with spaces between. */
    String encoded() {
        return URLEncoder.encode(rule, UTF_8) + " " + URLEncoder.encode(tag, UTF_8) + " "
                + URLEncoder.encode(subject, UTF_8);
    }

    static TallySubject decode(String encoded) {
        String[] parts = encoded.split(" ", 3);
        return new TallySubject(
                URLDecoder.decode(parts[0], UTF_8),
                URLDecoder.decode(parts[1], UTF_8),
                URLDecoder.decode(parts[2], UTF_8));
    }

    TopSubject denied(long times) {
        return new TopSubject(rule, tag, subject, times);
    }
}
