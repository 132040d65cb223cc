package dev.hotstate.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One call of the API. HEAD and OPTIONS need no route of their own.
 *
 * @param path a template: {@code /jobs/{id}/tasks/{task}}, {@code /badge/{id}.svg}, {@code /ui/{path*}} for any rest
 * @param bodyBytes the largest body it takes, where the server's own limit is lower; 0 for that of the server
 */
public record Route(String method, String path, Access access, Handler handler, int bodyBytes) {
    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");
    private static final Pattern SEGMENT =
            Pattern.compile("[a-z0-9._-]+|\\{[a-z_]+}[a-z0-9._-]*|\\{[a-z_]+\\*}", Pattern.CASE_INSENSITIVE);

    /** Parses and checks, asks the feature's door, and tells what to write. */
    @FunctionalInterface
    public interface Handler {
        Answer answer(Request request) throws Exception;
    }

    public Route {
        if (!METHODS.contains(method)) {
            throw new IllegalArgumentException("method must be one of " + METHODS + ", not \"" + method + "\"");
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path must begin with /, not \"" + path + "\"");
        }
        if (bodyBytes < 0) {
            throw new IllegalArgumentException("bodyBytes must not be negative, not " + bodyBytes);
        }
        var segments = segments(path);
        for (int i = 0; i < segments.size(); i++) {
            var segment = segments.get(i);
            if (!SEGMENT.matcher(segment).matches() || (segment.endsWith("*}") && i < segments.size() - 1)) {
                throw new IllegalArgumentException("path \"" + path + "\" has a bad segment \"" + segment + "\"");
            }
        }
    }

    public static Route get(String path, Access access, Handler handler) {
        return new Route("GET", path, access, handler, 0);
    }

    public static Route post(String path, Access access, Handler handler) {
        return new Route("POST", path, access, handler, 0);
    }

    public static Route put(String path, Access access, Handler handler) {
        return new Route("PUT", path, access, handler, 0);
    }

    public static Route patch(String path, Access access, Handler handler) {
        return new Route("PATCH", path, access, handler, 0);
    }

    public static Route delete(String path, Access access, Handler handler) {
        return new Route("DELETE", path, access, handler, 0);
    }

    /** The same route, answered by this. */
    public Route answeredBy(Handler other) {
        return new Route(method, path, access, other, bodyBytes);
    }

    /** The same, which takes bodies of that size though others may not. */
    public Route withBodyOf(int bytes) {
        return new Route(method, path, access, handler, bytes);
    }

    /** The path as OpenAPI writes it. */
    public String template() {
        return path.replace("*}", "}");
    }

    List<String> segments() {
        return segments(path);
    }

    /** The names in braces, in the order of the path. */
    List<String> parameters() {
        var names = new ArrayList<String>();
        for (var segment : segments()) {
            if (segment.startsWith("{")) {
                names.add(segment.substring(1, segment.indexOf('}')).replace("*", ""));
            }
        }
        return names;
    }

    private static List<String> segments(String path) {
        return path.equals("/") ? List.of() : List.of(path.substring(1).split("/", -1));
    }
}
