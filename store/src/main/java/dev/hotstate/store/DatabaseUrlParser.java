package dev.hotstate.store;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a {@link DatabaseUrl}. Not with java.net.URI: its exceptions print what they could not read, password included.
 * For the same reason no message here shows a piece of the URL that might belong to the password.
 */
final class DatabaseUrlParser {
    private static final Pattern SCHEME = Pattern.compile("(?:jdbc:postgresql|postgresql|postgres)://(.*)");
    // The user's part ends at the last @ before the path, so an @ in a password needs no escape.
    private static final Pattern REST = Pattern.compile(
            "(?:(?<user>[^/?#:]*)(?::(?<password>[^/?#]*))?@)?(?<host>\\[[^\\]]*\\]|[^/?#:@,]*)(?::(?<port>[^/?#@]*))?"
                    + "(?:/(?<database>[^/?#]*))?(?:\\?(?<query>[^#]*))?");
    // The names that libpq (psql, and most URLs handed out by hosts) uses, where the Java driver has its own.
    private static final Map<String, String> LIBPQ_NAMES = Map.of(
            "application_name", "ApplicationName",
            "channel_binding", "channelBinding",
            "connect_timeout", "connectTimeout");

    private DatabaseUrlParser() {}

    static DatabaseUrl parse(String url) {
        Matcher scheme = SCHEME.matcher(url);
        if (!scheme.matches()) {
            throw bad("must begin with postgres://, postgresql:// or jdbc:postgresql://");
        }
        Matcher rest = REST.matcher(scheme.group(1));
        if (!rest.matches()) {
            throw bad("must be one host, as in postgres://USER:PASSWORD@HOST:5432/DATABASE"
                    + "; a / ? or # in the password is written %2F %3F %23");
        }
        Map<String, String> parameters = parameters(part(rest, "query"));
        String user = parameters.getOrDefault("user", decode("user", part(rest, "user")));
        String password = parameters.getOrDefault("password", decode("password", part(rest, "password")));
        parameters.keySet().removeAll(Set.of("user", "password"));
        return new DatabaseUrl(
                host(part(rest, "host")),
                port(part(rest, "port")),
                decode("database", part(rest, "database")),
                user,
                password,
                parameters);
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                String name = decode("parameters", pair.substring(0, equals));
                String value = decode("parameters", pair.substring(equals + 1));
                parameters.put(LIBPQ_NAMES.getOrDefault(name, name), value);
            } else if (!pair.isEmpty()) {
                throw bad("has a parameter without a value");
            }
        }
        return parameters;
    }

    private static String host(String host) {
        if (host.isEmpty()) {
            return "localhost";
        }
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static int port(String port) {
        try {
            return port.isEmpty() ? 5432 : Integer.parseInt(port);
        } catch (NumberFormatException notANumber) {
            throw bad("has a port that is not a number");
        }
    }

    // A plus stays a plus: outside of HTML forms it is not a space.
    private static String decode(String part, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw bad(
                    "has a % in its " + part + " that two hexadecimal digits do not follow; a plain % is written %25");
        }
    }

    private static String part(Matcher matcher, String group) {
        String value = matcher.group(group);
        return value == null ? "" : value;
    }

    private static IllegalArgumentException bad(String what) {
        return new IllegalArgumentException("The PostgreSQL URL " + what + ".");
    }
}
