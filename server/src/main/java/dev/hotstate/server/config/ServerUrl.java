package dev.hotstate.server.config;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a Redis or PostgreSQL, or none. {@link #text()} may carry a password; {@link #toString()} never does,
 * so a settings record can be logged.
 */
public record ServerUrl(String text) {
    public static final ServerUrl NONE = new ServerUrl("");

    private static final Pattern URL = Pattern.compile("(?<scheme>[a-z:-]+)://((?<user>[^/?#]*)@)?(?<hosts>[^/?#@]+)"
            + "(?<path>/[^?#@]*)?(\\?(?<query>[^#]*))?(#(?<fragment>[^@]*))?");
    private static final Pattern HOST = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?");
    private static final List<String> REDIS =
            List.of("redis", "rediss", "redis-cluster", "rediss-cluster", "redis-sentinel", "rediss-sentinel");
    private static final List<String> POSTGRES = List.of("postgresql", "postgres", "jdbc:postgresql");

    public ServerUrl {
        if (!text.isEmpty()) {
            parts(text);
        }
    }

    /** Accepts a standalone, Cluster or Sentinel URL, or nothing. */
    static ServerUrl redis(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        var parts = parts(text, REDIS);
        require(!parts.scheme.endsWith("-sentinel") || !parts.fragment.isEmpty());
        return new ServerUrl(text);
    }

    /** Accepts {@code postgresql://} and {@code jdbc:postgresql://}, or nothing; the text is always a JDBC URL. */
    static ServerUrl postgres(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        var parts = parts(text, POSTGRES);
        require(parts.path.length() > 1 && parts.fragment.isEmpty());
        return new ServerUrl("jdbc:postgresql://" + parts.hosts + parts.path + jdbcQuery(parts));
    }

    /** False: the embedded server is meant. */
    public boolean isGiven() {
        return !text.isEmpty();
    }

    /** Every host is this machine's loopback, judged by its spelling alone: no name is looked up. */
    public boolean onLoopback() {
        return Arrays.stream(parts(text).hosts.split(",")).allMatch(host -> Loopback.is(withoutPort(host)));
    }

    /** Whether what travels is surely encrypted; PostgreSQL's {@code sslmode=prefer} may fall back to plaintext. */
    public boolean encrypted() {
        var parts = parts(text);
        return parts.scheme.startsWith("rediss")
                || Arrays.stream(parts.query.split("&"))
                        .anyMatch(word -> word.matches("ssl=true|sslmode=(require|verify-ca|verify-full)"));
    }

    /** The address without user, password and options: what a log or an error may show. */
    public String masked() {
        if (!isGiven()) {
            return "";
        }
        var parts = parts(text);
        var user = parts.user.isEmpty() ? "" : "***@";
        var fragment = parts.fragment.isEmpty() ? "" : "#" + parts.fragment;
        return parts.scheme + "://" + user + parts.hosts + parts.path + fragment;
    }

    @Override
    public String toString() {
        return masked();
    }

    private static Parts parts(String text, List<String> schemes) {
        var parts = parts(text);
        require(schemes.contains(parts.scheme));
        require(Arrays.stream(parts.hosts.split(",", -1))
                .allMatch(host -> HOST.matcher(host).matches()));
        require(parts.query.isEmpty() || Arrays.stream(parts.query.split("&")).allMatch(word -> word.contains("=")));
        return parts;
    }

    private static Parts parts(String text) {
        var matcher = URL.matcher(text);
        require(matcher.matches());
        return new Parts(
                matcher.group("scheme").toLowerCase(Locale.ROOT),
                orEmpty(matcher.group("user")),
                matcher.group("hosts"),
                orEmpty(matcher.group("path")),
                orEmpty(matcher.group("query")),
                orEmpty(matcher.group("fragment")));
    }

    private static String jdbcQuery(Parts parts) {
        var options = new ArrayList<String>();
        if (!parts.query.isEmpty()) {
            options.add(parts.query);
        }
        if (!parts.user.isEmpty()) {
            var userAndPassword = parts.user.split(":", 2);
            options.add("user=" + reencoded(userAndPassword[0]));
            if (userAndPassword.length > 1) {
                options.add("password=" + reencoded(userAndPassword[1]));
            }
        }
        return options.isEmpty() ? "" : "?" + String.join("&", options);
    }

    /** A plus is a plus in a URL's user part, and a blank in its query. */
    private static String reencoded(String userPart) {
        var plain = URLDecoder.decode(userPart.replace("+", "%2B"), StandardCharsets.UTF_8);
        return URLEncoder.encode(plain, StandardCharsets.UTF_8);
    }

    private static String withoutPort(String host) {
        return host.replaceFirst(":\\d{1,5}$", "");
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** Says nothing of the text itself: it may be a password. */
    private static void require(boolean fits) {
        if (!fits) {
            throw new IllegalArgumentException("not a URL of the accepted form");
        }
    }

    private record Parts(String scheme, String user, String hosts, String path, String query, String fragment) {}
}
