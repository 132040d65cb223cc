package dev.hotstate.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Who may call. A web page must not: its {@code Origin} is never ours, and on a server that asks for no token the
 * {@code Host} must be this machine's own name for itself, because a page can make its own name resolve to 127.0.0.1.
 * Then the token or the session says who calls, and the route says whether that is enough.
 */
final class Gate {
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> OWN_PAGES = Set.of("same-origin", "none");

    private final boolean open;
    private final List<String> allowedHosts;
    private final Authenticator authenticator;

    Gate(HttpOptions options, Authenticator authenticator) {
        this.open = !options.tokensRequired() && options.address().isLoopbackAddress();
        this.allowedHosts = options.allowedHosts().stream()
                .map(h -> h.toLowerCase(Locale.ROOT))
                .toList();
        this.authenticator = authenticator;
    }

    /** Refuses what a page of another site sent, whatever it asks for. */
    void refuseStrangers(Arrival arrival) {
        var headers = arrival.raw().headers();
        var host = headers.first(HeaderNames.HOST).orElse("").toLowerCase(Locale.ROOT);
        if (open && !isOurs(host, arrival.raw().localPeer().port())) {
            throw Problem.forbidden("This server does not answer to the host \"" + printable(host)
                    + "\": call it by a loopback name, or list the host as allowed.");
        }
        headers.first(HeaderNames.ORIGIN).ifPresent(origin -> refuseForeign(origin.toLowerCase(Locale.ROOT), host));
    }

    /** Who calls this route; empty only where nobody needs to be known. */
    Optional<Caller> admit(Arrival arrival, Route route) {
        var headers = arrival.raw().headers();
        refuseOtherSites(arrival, route);
        var caller = callerOf(headers, route);
        if (caller.isEmpty() && route.access() != Access.PUBLIC) {
            throw Problem.unauthorized("This call needs a token: send \"Authorization: Bearer …\".");
        }
        caller.ifPresent(known -> {
            if (!route.access().admits(known.role())) {
                throw Problem.forbidden(
                        "This call needs the role " + route.access().text() + "; the token's is "
                                + known.role().text() + ".");
            }
        });
        return caller;
    }

    /** Whether a caller who was admitted still is; while that cannot be told, he is. */
    boolean stillAdmits(Arrival arrival, Route route) {
        try {
            admit(arrival, route);
            return true;
        } catch (Problem refused) {
            return refused.status() == 503;
        }
    }

    private boolean isOurs(String host, int port) {
        int colon = host.lastIndexOf(':');
        boolean hasPort = colon > host.lastIndexOf(']');
        var name = hasPort ? host.substring(0, colon) : host;
        if (allowedHosts.contains(host) || allowedHosts.contains(name)) {
            return true;
        }
        boolean ourPort = hasPort ? host.substring(colon + 1).equals(String.valueOf(port)) : port == 80 || port == 443;
        return ourPort && LOOPBACK_NAMES.contains(name);
    }

    /** {@code Origin} is that of a page; {@code null} is a sandboxed one or a file. Only our own may call. */
    private static void refuseForeign(String origin, String host) {
        int scheme = origin.indexOf("://");
        if (scheme < 0 || !origin.substring(scheme + 3).equals(host)) {
            throw Problem.forbidden("A page of another origin may not call this server.");
        }
    }

    /**
     * A browser says where a request comes from even when it sends no {@code Origin}. Another site may lead its reader
     * here (a link), and show what is public (a badge); it may not make its reader's browser call anything else.
     */
    private static void refuseOtherSites(Arrival arrival, Route route) {
        var headers = arrival.raw().headers();
        var site = headers.first(HeaderNames.create("Sec-Fetch-Site")).orElse("none");
        if (OWN_PAGES.contains(site)) {
            return;
        }
        boolean reads = route.method().equals("GET");
        boolean link =
                headers.first(HeaderNames.create("Sec-Fetch-Mode")).orElse("").equals("navigate")
                        && headers.first(HeaderNames.create("Sec-Fetch-Dest"))
                                .orElse("")
                                .equals("document");
        if (!reads || !(link || route.access() == Access.PUBLIC)) {
            throw Problem.forbidden("A page of another site may not call this server.");
        }
    }

    /**
     * A token that is shown must be good, even where none is needed; a cookie may be left over from another day. Where
     * nobody needs to be known, nothing about credentials can make a call fail: health is told while PostgreSQL is away.
     */
    private Optional<Caller> callerOf(ServerRequestHeaders headers, Route route) {
        var authorization = headers.first(HeaderNames.AUTHORIZATION).orElse(null);
        if (route.access() == Access.PUBLIC) {
            return authorization == null ? bySessionOrLocal(headers, true) : known(() -> bearer(authorization));
        }
        if (authorization == null) {
            return bySessionOrLocal(headers, open);
        }
        var caller = bearer(authorization);
        if (caller.isEmpty()) {
            throw Problem.unauthorized("The token is unknown, expired or revoked.")
                    .with("WWW-Authenticate", "Bearer realm=\"hotstate\", error=\"invalid_token\"");
        }
        return caller;
    }

    private Optional<Caller> bySessionOrLocal(ServerRequestHeaders headers, boolean lenient) {
        var cookie = SessionCookie.in(headers.first(HeaderNames.COOKIE).orElse(""));
        var caller = lenient
                ? known(() -> cookie.flatMap(authenticator::bySession))
                : cookie.flatMap(authenticator::bySession);
        return caller.isEmpty() && open ? Optional.of(Caller.LOCAL) : caller;
    }

    private Optional<Caller> bearer(String authorization) {
        return authorization.regionMatches(true, 0, "Bearer ", 0, 7)
                ? authenticator.byToken(authorization.substring(7).trim())
                : Optional.empty();
    }

    private static Optional<Caller> known(Supplier<Optional<Caller>> caller) {
        try {
            return caller.get();
        } catch (Problem cannotTellNow) {
            return Optional.empty();
        }
    }

    private static String printable(String host) {
        var clean = host.replaceAll("[^a-z0-9.:\\[\\]_-]", "?");
        return clean.length() > 100 ? clean.substring(0, 100) + "…" : clean;
    }
}
