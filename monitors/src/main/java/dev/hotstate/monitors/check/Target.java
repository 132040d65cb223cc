package dev.hotstate.monitors.check;

import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Where a check goes.
 *
 * @param scheme of a URL, in lower case; empty for host:port and names
 * @param host in lower case and ASCII; an IPv6 address without its brackets
 * @param port 0 where there is none
 * @param userInfo as it is written in the URL, empty if it is not
 * @param path with the query, as they are written
 */
record Target(String scheme, String host, int port, String userInfo, String path) {
    private static final int HIGHEST_PORT = 65_535;
    private static final int LONGEST_NAME = 253;
    private static final Pattern LABELS = Pattern.compile("[a-z0-9_*-]{1,63}(\\.[a-z0-9_*-]{1,63})*\\.?");
    private static final Pattern PORT = Pattern.compile("\\d{1,5}");
    private static final Pattern DATABASE = Pattern.compile("/?|/\\d{1,5}");
    private static final List<String> POSTGRES = List.of("postgres", "postgresql");

    /** @throws IllegalArgumentException that begins with "target", and holds no password */
    static Target of(CheckType type, String text) {
        return switch (type) {
            case HTTP -> http(text);
            case TCP -> hostAndPort("host:port", text, 0);
            case TLS -> hostAndPort("host or host:port", text, 443);
            case DNS -> new Target("", name(text), 0, "", "");
            case PUSH -> nothing(text);
            case REDIS -> redis(text);
            case POSTGRES -> postgres(text);
        };
    }

    static Target http(String text) {
        Target target = url(text, "an http:// or https:// URL", List.of("http", "https"), 0);
        if (!target.userInfo.isEmpty()) {
            throw refused("must not hold a password: lists show it; use auth");
        }
        int usual = target.isSecure() ? 443 : 80;
        String path = target.path.startsWith("/") ? target.path : "/" + target.path;
        return new Target(target.scheme, target.host, target.port == 0 ? usual : target.port, "", path);
    }

    /** Also as host:port in a resolver's place. */
    static Target hostAndPort(String form, String text, int usualPort) {
        return authority("", text, usualPort, "", "must be " + form);
    }

    boolean isSecure() {
        return scheme.equals("https") || scheme.equals("rediss");
    }

    boolean isSameOrigin(Target other) {
        return scheme.equals(other.scheme) && host.equals(other.host) && port == other.port;
    }

    /** host:port, an IPv6 address in brackets. */
    String authority() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    /** A URL without what may be secret in it. */
    @Override
    public String toString() {
        return (scheme.isEmpty() ? "" : scheme + "://") + authority() + path;
    }

    private static Target nothing(String text) {
        if (!text.isEmpty()) {
            throw refused("must be empty: a push monitor asks nobody");
        }
        return new Target("", "", 0, "", "");
    }

    private static Target redis(String text) {
        Target target = url(text, "a redis:// or rediss:// URL", List.of("redis", "rediss"), 6379);
        if (!DATABASE.matcher(target.path).matches()) {
            throw refused("must end with the number of a database, if with anything");
        }
        return target;
    }

    /** Programs on the JVM write jdbc:postgresql://, all others leave the first part out. */
    private static Target postgres(String text) {
        String url = text.startsWith("jdbc:") ? text.substring("jdbc:".length()) : text;
        Target target = url(url, "a postgres:// URL", POSTGRES, 5432);
        PostgresLogin.of(target);
        return target;
    }

    private static Target url(String text, String form, List<String> schemes, int usualPort) {
        URI uri = uri(text, form);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!schemes.contains(scheme) || uri.getRawAuthority() == null) {
            throw refused("must be " + form + " with a host");
        }
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        String authority = uri.getRawAuthority();
        int user = authority.lastIndexOf('@');
        return authority(
                scheme,
                authority.substring(user + 1),
                usualPort,
                user < 0 ? "" : authority.substring(0, user),
                "must be " + form + " with a host",
                uri.getRawPath() + query);
    }

    /** The exception's own text would repeat the whole of it, with the password that may be in it. */
    private static URI uri(String text, String form) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            String where = e.getIndex() < 0 ? "" : " at character " + (e.getIndex() + 1);
            throw refused("must be " + form + ": " + e.getReason() + where);
        }
    }

    private static Target authority(String scheme, String text, int usualPort, String userInfo, String must) {
        return authority(scheme, text, usualPort, userInfo, must, "");
    }

    /** Not java.net.URI's: it knows no host with an underscore, as containers have them. */
    private static Target authority(
            String scheme, String text, int usualPort, String userInfo, String must, String path) {
        int bracket = text.lastIndexOf(']');
        int colon = text.indexOf(':', Math.max(0, bracket));
        String host = colon < 0 ? text : text.substring(0, colon);
        int port = colon < 0 ? usualPort : port(text.substring(colon + 1), usualPort);
        if (scheme.isEmpty() && port == 0) {
            throw refused(must);
        }
        return new Target(scheme, host(host, must), port, userInfo, path);
    }

    private static int port(String digits, int usualPort) {
        if (digits.isEmpty() && usualPort > 0) {
            return usualPort;
        }
        int port = PORT.matcher(digits).matches() ? Integer.parseInt(digits) : 0;
        if (port == 0 || port > HIGHEST_PORT) {
            throw refused(
                    "must have a port from 1 to " + HIGHEST_PORT + ", not \"" + Quoted.excerpt(digits, 20) + "\"");
        }
        return port;
    }

    private static String host(String host, String must) {
        if (host.startsWith("[") && host.endsWith("]")) {
            String address = host.substring(1, host.length() - 1);
            if (Addresses.literal(address).isEmpty()) {
                throw refused("must have an IPv6 address in its brackets");
            }
            return address.toLowerCase(Locale.ROOT);
        }
        if (host.isEmpty()) {
            throw refused(must);
        }
        return name(host);
    }

    private static String name(String name) {
        if (Addresses.literal(name).isPresent()) {
            return name.toLowerCase(Locale.ROOT);
        }
        String ascii;
        try {
            ascii = IDN.toASCII(name, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            ascii = "";
        }
        if (!LABELS.matcher(ascii).matches() || ascii.length() > LONGEST_NAME) {
            throw refused("must name a host, not \"" + Quoted.excerpt(name, 40) + "\"");
        }
        return ascii;
    }

    static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("target " + why);
    }
}
