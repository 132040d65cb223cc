package dev.hotstate.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that this process has seen, at most as many as the cap; what comes beyond is {@link Endpoint#OTHER}. The
 * application as a whole has the same cap: an endpoint that Redis has no room for is {@link #refuse}d, and is
 * {@code other} until there is room. An endpoint that nobody asked for in a long time gives its id to another.
 */
final class Endpoints {
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "OTHER");
    private static final int OTHER_METHOD = METHODS.size() - 1;
    private static final int MAX_ROUTE = 200;
    static final String UNMATCHED = "unmatched";

    private final int cap;
    private final Map<String, @Nullable Endpoint[]> byRoute = new ConcurrentHashMap<>();
    private final Map<String, Known> bySegment = new HashMap<>();
    private final BitSet ids = new BitSet();
    private volatile boolean full;

    Endpoints(int cap) {
        this.cap = cap;
        ids.set(Endpoint.OTHER.id());
    }

    /**
     * Looks a known endpoint up without locks or garbage.
     *
     * @throws IllegalArgumentException when the route is none
     */
    Endpoint of(String method, String route) {
        int number = methodNumber(method);
        @Nullable Endpoint[] ofRoute = byRoute.get(route);
        // A stale null only leads to the lock; an endpoint is immutable, so that it is seen whole or not at all.
        Endpoint known = ofRoute == null ? null : ofRoute[number];
        return known != null ? known : unknown(number, route);
    }

    /** The name under which it is counted. */
    static String name(String method, String route) {
        requireRoute(route);
        return route.equals(Endpoint.OTHER.name()) ? route : METHODS.get(methodNumber(method)) + " " + route;
    }

    /** How many ids there can be, {@code other}'s included. */
    int ids() {
        return cap + 1;
    }

    /** As what it counts that was asked for just now: as {@code other} when it was refused or forgotten meanwhile. */
    synchronized Endpoint current(Endpoint endpoint, long nowMs) {
        Known known = bySegment.get(endpoint.segment());
        if (known == null || known.refused) {
            return Endpoint.OTHER;
        }
        known.seenMs = nowMs;
        return known.endpoint;
    }

    /** The application has no room for it. */
    synchronized void refuse(String segment) {
        Known known = bySegment.get(segment);
        if (known != null) {
            known.refused = true;
            places(known)[known.method] = Endpoint.OTHER;
        }
    }

    synchronized boolean hasRefused() {
        return bySegment.values().stream().anyMatch(known -> known.refused);
    }

    /** There is room again for those that were refused: they may ask once more. */
    synchronized void forgetRefused() {
        forget(known -> known.refused);
    }

    /** Nobody asked for them since that time. */
    synchronized void forgetUnseenSince(long ms) {
        forget(known -> known.seenMs <= ms);
    }

    private void forget(Predicate<Known> whether) {
        bySegment.values().removeIf(known -> {
            boolean forgotten = whether.test(known);
            if (forgotten) {
                places(known)[known.method] = null;
                ids.clear(known.endpoint.id());
                full = false;
            }
            return forgotten;
        });
        byRoute.values().removeIf(places -> Arrays.stream(places).allMatch(Objects::isNull));
    }

    private @Nullable Endpoint[] places(Known known) {
        return Objects.requireNonNull(byRoute.get(known.route));
    }

    /** One that counts, or counted until it was refused. */
    private static final class Known {
        private final Endpoint endpoint;
        private final String route;
        private final int method;
        private long seenMs = Long.MAX_VALUE;
        private boolean refused;

        Known(Endpoint endpoint, String route, int method) {
            this.endpoint = endpoint;
            this.route = route;
            this.method = method;
        }
    }

    private Endpoint unknown(int method, String route) {
        requireRoute(route);
        return full || route.equals(Endpoint.OTHER.name()) ? Endpoint.OTHER : admit(method, route);
    }

    private synchronized Endpoint admit(int method, String route) {
        @Nullable Endpoint[] ofRoute = byRoute.get(route);
        Endpoint known = ofRoute == null ? null : ofRoute[method];
        if (known != null) {
            return known;
        }
        int id = ids.nextClearBit(0);
        if (id > cap) {
            full = true;
            return Endpoint.OTHER;
        }
        ids.set(id);
        Endpoint endpoint = Endpoint.of(id, METHODS.get(method) + " " + route);
        bySegment.put(endpoint.segment(), new Known(endpoint, route, method));
        @Nullable Endpoint[] places = ofRoute == null ? new @Nullable Endpoint[METHODS.size()] : ofRoute;
        places[method] = endpoint;
        byRoute.put(route, places);
        return endpoint;
    }

    private static int methodNumber(String method) {
        return switch (method) {
            case "GET" -> 0;
            case "HEAD" -> 1;
            case "POST" -> 2;
            case "PUT" -> 3;
            case "DELETE" -> 4;
            case "PATCH" -> 5;
            case "OPTIONS" -> 6;
            case "TRACE" -> 7;
            case "CONNECT" -> 8;
            default -> unusual(method);
        };
    }

    private static int unusual(String method) {
        int number = METHODS.indexOf(method.toUpperCase(Locale.ROOT));
        return number < 0 ? OTHER_METHOD : number;
    }

    /** For doors, which count whatever a framework calls a route. */
    static String routeOrUnmatched(@Nullable String route) {
        return route != null && isTemplate(route) ? route : UNMATCHED;
    }

    private static boolean isTemplate(String route) {
        return route.startsWith("/")
                && route.length() <= MAX_ROUTE
                && route.chars().noneMatch(Character::isISOControl)
                && UTF_8.newEncoder().canEncode(route);
    }

    private static void requireRoute(String route) {
        if (!isTemplate(route) && !route.equals(UNMATCHED) && !route.equals(Endpoint.OTHER.name())) {
            String shown = route.length() > 80 ? route.substring(0, 80) + "…" : route;
            throw new IllegalArgumentException("route must be 1 to " + MAX_ROUTE
                    + " characters beginning with /, or unmatched, or other, not \"" + shown + "\"");
        }
    }
}
