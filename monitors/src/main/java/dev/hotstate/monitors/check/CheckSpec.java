package dev.hotstate.monitors.check;

import dev.hotstate.core.Durations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is to be asked, and what must hold of the answer. Without assertions: an HTTP status below 400, at least one DNS
 * answer.
 *
 * @param target by type: a URL (http, redis, postgres), host:port (tcp, tls), a name (dns); empty for push
 */
public record CheckSpec(
        CheckType type, String target, Duration timeout, List<Assertion> assertions, CheckOptions options) {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final int LONGEST_TARGET = 2048;
    private static final int MOST_ASSERTIONS = 32;

    /** @throws IllegalArgumentException whose message begins with the field's name */
    public CheckSpec {
        if (target.length() > LONGEST_TARGET) {
            throw new IllegalArgumentException("target must be at most " + LONGEST_TARGET + " characters");
        }
        Target.of(type, target);
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("timeout must be from " + Durations.print(SHORTEST) + " to "
                    + Durations.print(LONGEST) + ", not " + Durations.print(timeout));
        }
        assertions = List.copyOf(assertions);
        checkAssertions(type, assertions);
    }

    public static CheckSpec of(CheckType type, String target, Duration timeout) {
        return new CheckSpec(type, target, timeout, List.of(), CheckOptions.DEFAULTS);
    }

    /** Whose load a check is: the host in lower case; of DNS the name; empty for push. */
    public String host() {
        return where().host();
    }

    public static boolean isTarget(CheckType type, String text) {
        try {
            return !Target.of(type, text).host().isEmpty();
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    /**
     * Whether a check of that type and target goes to where this one goes: to the same host and port, by the same scheme.
     *
     * @throws IllegalArgumentException if it is no target of that type
     */
    public boolean goesTo(CheckType otherType, String otherTarget) {
        return type == otherType && where().isSameOrigin(Target.of(otherType, otherTarget));
    }

    Target where() {
        return Target.of(type, target);
    }

    private static void checkAssertions(CheckType type, List<Assertion> assertions) {
        if (assertions.size() > MOST_ASSERTIONS) {
            throw new IllegalArgumentException(
                    "assertions must be at most " + MOST_ASSERTIONS + ", not " + assertions.size());
        }
        for (int i = 0; i < assertions.size(); i++) {
            Subject.Kind subject = assertions.get(i).subject();
            if (!subject.isKnownTo(type)) {
                throw new IllegalArgumentException(
                        "assertions[" + i + "]: a check of type " + type.word() + " knows no " + subject);
            }
        }
    }

    /**
     * What only some types know of.
     *
     * @param method of HTTP
     * @param redirects how many are followed at most
     * @param recordType of DNS
     * @param resolver of DNS, host or host:port; null for the system's
     */
    public record CheckOptions(
            String method,
            Map<String, String> headers,
            @Nullable String body,
            @Nullable Auth auth,
            int redirects,
            Tls tls,
            String recordType,
            @Nullable String resolver) {
        private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
        private static final Set<String> OURS =
                Set.of("connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "expect");
        private static final List<String> RECORD_TYPES =
                List.of("A", "AAAA", "CNAME", "MX", "TXT", "NS", "SOA", "SRV", "CAA", "PTR");
        private static final int MOST_HEADERS = 50;
        private static final int LONGEST_HEADER = 8192;
        private static final int LARGEST_BODY = 64 * 1024;
        private static final int MOST_REDIRECTS = 20;

        /** Below the rules that it is held to. */
        public static final CheckOptions DEFAULTS =
                new CheckOptions("GET", Map.of(), null, null, 5, Tls.DEFAULTS, "A", null);

        public CheckOptions {
            if (!TOKEN.matcher(method).matches()) {
                throw new IllegalArgumentException(
                        "method must be a token such as GET, not \"" + Quoted.excerpt(method, 20) + "\"");
            }
            headers = Map.copyOf(headers);
            checkHeaders(headers);
            if (body != null && body.getBytes(StandardCharsets.UTF_8).length > LARGEST_BODY) {
                throw new IllegalArgumentException("body must be at most " + LARGEST_BODY + " bytes");
            }
            if (redirects < 0 || redirects > MOST_REDIRECTS) {
                throw new IllegalArgumentException(
                        "redirects must be from 0 to " + MOST_REDIRECTS + ", not " + redirects);
            }
            recordType = recordType.toUpperCase(Locale.ROOT);
            if (!RECORD_TYPES.contains(recordType)) {
                throw new IllegalArgumentException("record_type must be one of " + String.join(" ", RECORD_TYPES)
                        + ", not \"" + Quoted.excerpt(recordType, 20) + "\"");
            }
            if (resolver != null) {
                checkResolver(resolver);
            }
        }

        private static void checkHeaders(Map<String, String> headers) {
            if (headers.size() > MOST_HEADERS) {
                throw new IllegalArgumentException(
                        "headers must be at most " + MOST_HEADERS + ", not " + headers.size());
            }
            Set<String> names = new HashSet<>();
            headers.forEach((name, value) -> {
                if (!TOKEN.matcher(name).matches() || OURS.contains(name.toLowerCase(Locale.ROOT))) {
                    throw new IllegalArgumentException(
                            "headers must not hold \"" + Quoted.excerpt(name, 40) + "\": it is no name, or set by us");
                }
                if (!names.add(name.toLowerCase(Locale.ROOT))) {
                    throw new IllegalArgumentException("headers must not hold " + name + " twice");
                }
                if (value.length() > LONGEST_HEADER || !isHeaderValue(value)) {
                    throw new IllegalArgumentException("headers." + name + " must be one line of at most "
                            + LONGEST_HEADER + " characters of Latin text");
                }
            });
        }

        private static void checkResolver(String resolver) {
            try {
                Target.hostAndPort("host or host:port", resolver, 53);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "resolver must be host or host:port, not \"" + Quoted.excerpt(resolver, 40) + "\"", e);
            }
        }
    }

    /** No line break, which would begin another header, and nothing that HTTP/1.1 cannot carry. */
    private static boolean isHeaderValue(String value) {
        return value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7f && c <= 0xff));
    }

    /** Basic with user and password, or a bearer token. */
    public record Auth(
            @Nullable String username,
            @Nullable String password,
            @Nullable String bearer) {
        public Auth {
            boolean basic = username != null && password != null && bearer == null;
            if (!basic && (bearer == null || username != null || password != null)) {
                throw new IllegalArgumentException("auth must be a username and a password, or a bearer token");
            }
            if (username != null && username.indexOf(':') >= 0) {
                throw new IllegalArgumentException("auth.username must not hold a colon");
            }
            if (bearer != null && (bearer.isEmpty() || !isHeaderValue(bearer))) {
                throw new IllegalArgumentException("auth.bearer must be one line of text");
            }
        }

        /** Without the secrets. */
        @Override
        public String toString() {
            return bearer != null ? "Auth[bearer]" : "Auth[username=" + username + "]";
        }
    }

    /**
     * @param verify whether chain and host name must hold
     * @param serverName to ask for, where it is not the target's host
     * @param ca a PEM to trust beside the system's
     */
    public record Tls(
            boolean verify,
            @Nullable String serverName,
            @Nullable String ca) {
        public static final Tls DEFAULTS = new Tls(true, null, null);

        private static final int LARGEST_CA = 64 * 1024;

        public Tls {
            if (serverName != null) {
                checkServerName(serverName);
            }
            if (ca != null && (ca.length() > LARGEST_CA || !Certificates.isPem(ca))) {
                throw new IllegalArgumentException(
                        "tls.ca must be one or more certificates as PEM, at most " + LARGEST_CA + " characters");
            }
        }

        private static void checkServerName(String name) {
            try {
                Target.of(CheckType.DNS, name);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "tls.server_name must be a host, not \"" + Quoted.excerpt(name, 40) + "\"", e);
            }
        }
    }
}
