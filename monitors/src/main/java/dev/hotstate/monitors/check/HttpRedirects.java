package dev.hotstate.monitors.check;

import java.net.URI;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;

/** Where a target sends us, as far as we go. */
final class HttpRedirects {
    private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);

    private final Set<String> asked = new HashSet<>();
    private final int most;
    private int followed;

    /** @param most with 0 a redirect is an answer like others */
    HttpRedirects(int most) {
        this.most = most;
    }

    /** The next question; empty if this was the answer. */
    Optional<HttpQuestion> after(HttpQuestion question, ClassicHttpResponse response) throws CheckFailedException {
        Header location = response.getFirstHeader("Location");
        if (most == 0 || location == null || !STATUSES.contains(response.getCode())) {
            return Optional.empty();
        }
        Target to = resolve(question.target(), String.valueOf(location.getValue()));
        HttpQuestion next = question.redirected(response.getCode(), to);
        asked.add(question.method() + " " + question.target());
        if (asked.contains(next.method() + " " + to)) {
            throw refused("a redirect loop: it leads back to " + Quoted.excerpt(to.toString()));
        }
        if (++followed > most) {
            throw refused("more than " + most + " redirects, the last to " + Quoted.excerpt(to.toString()));
        }
        return Optional.of(next);
    }

    private static Target resolve(Target from, String location) throws CheckFailedException {
        try {
            return Target.http(URI.create(from.toString()).resolve(location).toString());
        } catch (IllegalArgumentException e) {
            throw refused("a redirect to \"" + Quoted.excerpt(location) + "\", which is no http or https URL");
        }
    }

    private static CheckFailedException refused(String why) {
        return new CheckFailedException(Failure.REDIRECT, why);
    }
}
