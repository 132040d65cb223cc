package dev.hotstate.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that this process has seen, at most as many as the cap; what comes beyond is {@link Endpoint#OTHER}. The
 * application as a whole has the same cap: an endpoint that Redis has no room for is {@link #refuse}d, and is
 * {@code other} from then on.
 */
final class Endpoints {
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "OTHER");
    private static final int OTHER_METHOD = METHODS.size() - 1;
    private static final int MAX_ROUTE = 200;
    static final String UNMATCHED = "unmatched";

    private final int cap;
    private final Map<String, @Nullable Endpoint[]> byRoute = new ConcurrentHashMap<>();
    private final Map<String, Endpoint> bySegment = new HashMap<>();
    private final boolean[] refused;
    private volatile boolean full;
    private int last;

    Endpoints(int cap) {
        this.cap = cap;
        this.refused = new boolean[cap + 1];
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

    /** The endpoint itself, or {@code other} when it was refused after it had been counted. */
    synchronized Endpoint current(Endpoint endpoint) {
        return refused[endpoint.id()] ? Endpoint.OTHER : endpoint;
    }

    /** The application has no room for it. */
    synchronized Endpoint refuse(String segment) {
        Endpoint endpoint = bySegment.get(segment);
        if (endpoint == null) {
            throw new IllegalStateException("Redis refused the endpoint " + segment + ", which is not of this process");
        }
        refused[endpoint.id()] = true;
        byRoute.values().forEach(ofRoute -> {
            for (int i = 0; i < ofRoute.length; i++) {
                if (endpoint.equals(ofRoute[i])) {
                    ofRoute[i] = Endpoint.OTHER;
                }
            }
        });
        return endpoint;
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
        if (last == cap) {
            full = true;
            return Endpoint.OTHER;
        }
        Endpoint endpoint = Endpoint.of(++last, METHODS.get(method) + " " + route);
        bySegment.put(endpoint.segment(), endpoint);
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
