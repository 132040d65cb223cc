package dev.hotstate.monitors.check;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be asked, and what must hold of the answer.
 *
 * @param target by type: a URL (http, redis, postgres), host:port (tcp, tls), a name (dns); empty for push
 */
public record CheckSpec(
        CheckType type, String target, Duration timeout, List<Assertion> assertions, CheckOptions options) {

    public CheckSpec {
        assertions = List.copyOf(assertions);
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
        public static final CheckOptions DEFAULTS =
                new CheckOptions("GET", Map.of(), null, null, 5, Tls.DEFAULTS, "A", null);

        public CheckOptions {
            headers = Map.copyOf(headers);
        }
    }

    /** Basic with user and password, or a bearer token. */
    public record Auth(
            @Nullable String username,
            @Nullable String password,
            @Nullable String bearer) {}

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
    }
}
