package dev.hotstate.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Every call of the server in one table: who matches a path, which methods a path answers, and the page that lists them
 * all. A tree by path segment, in which a word is preferred to a parameter and a parameter to a rest; so a look-up costs
 * the length of the path, however many routes there are.
 */
final class RouteTable {
    private final List<Route> all = new ArrayList<>();
    private final Node root = new Node();

    /** A path found in the table: the routes of its methods, and the values in the place of its parameters. */
    record Match(Map<String, Route> routes, List<String> values) {
        Optional<Route> route(String method) {
            return Optional.ofNullable(routes.get(method.equals("HEAD") ? "GET" : method));
        }

        List<String> allowed() {
            var methods = new TreeSet<>(routes.keySet());
            if (methods.contains("GET")) {
                methods.add("HEAD");
            }
            methods.add("OPTIONS");
            return List.copyOf(methods);
        }
    }

    RouteTable(List<? extends Routes> features) {
        for (var feature : features) {
            for (var route : feature.routes()) {
                add(route);
            }
        }
        refuseWordsThatCouldBeIds(root);
    }

    /** The table as text, one call a line: method, path, who may call. */
    String onOneScreen() {
        var lines = new StringBuilder();
        for (var route : all) {
            lines.append("%-6s %-44s %s%n"
                    .formatted(route.method(), route.path(), route.access().text()));
        }
        return lines.toString();
    }

    /** The largest that any route takes beyond the server's own limit; 0 where none does. */
    int largestBody() {
        return all.stream().mapToInt(Route::bodyBytes).max().orElse(0);
    }

    /** @param segments the decoded segments of the path, none for {@code /} */
    Optional<Match> match(List<String> segments) {
        var values = new ArrayList<String>();
        var node = find(root, segments, 0, values);
        return node == null ? Optional.empty() : Optional.of(new Match(node.routes, values));
    }

    private static @Nullable Node find(Node node, List<String> segments, int at, List<String> values) {
        if (at == segments.size()) {
            return node.routes.isEmpty() ? null : node;
        }
        var segment = segments.get(at);
        var word = node.words.get(segment);
        var found = word == null ? null : find(word, segments, at + 1, values);
        if (found != null) {
            return found;
        }
        for (var parameter : node.parameters.entrySet()) {
            var suffix = parameter.getKey();
            if (segment.endsWith(suffix) && segment.length() > suffix.length()) {
                values.add(segment.substring(0, segment.length() - suffix.length()));
                found = find(parameter.getValue(), segments, at + 1, values);
                if (found != null) {
                    return found;
                }
                values.removeLast();
            }
        }
        if (node.rest != null) {
            values.add(String.join("/", segments.subList(at, segments.size())));
        }
        return node.rest;
    }

    private void add(Route route) {
        var node = root;
        for (var segment : route.segments()) {
            node = node.child(segment);
        }
        var other = node.routes.putIfAbsent(route.method(), route);
        if (other != null) {
            throw new IllegalArgumentException(
                    "%s %s is there twice (as %s)".formatted(route.method(), route.path(), other.path()));
        }
        all.add(route);
    }

    /** A word beside a parameter hides the id of that name, so nobody may have such an id. */
    private static void refuseWordsThatCouldBeIds(Node node) {
        if (node.parameters.containsKey("")) {
            for (var word : node.words.keySet()) {
                if (!Ids.isReserved(word)) {
                    throw new IllegalArgumentException("\"" + word + "\" must be a reserved word of Ids");
                }
            }
        }
        node.words.values().forEach(RouteTable::refuseWordsThatCouldBeIds);
        node.parameters.values().forEach(RouteTable::refuseWordsThatCouldBeIds);
    }

    private static final class Node {
        private final Map<String, Node> words = new HashMap<>();
        // By what must follow the parameter; the longest first, so that {id}.svg is tried before {id}.
        private final Map<String, Node> parameters = new TreeMap<>(
                (a, b) -> a.length() == b.length() ? a.compareTo(b) : Integer.compare(b.length(), a.length()));
        private @Nullable Node rest;
        private final Map<String, Route> routes = new TreeMap<>();

        Node child(String segment) {
            if (segment.endsWith("*}")) {
                rest = rest == null ? new Node() : rest;
                return rest;
            }
            if (segment.startsWith("{")) {
                return parameters.computeIfAbsent(segment.substring(segment.indexOf('}') + 1), suffix -> new Node());
            }
            return words.computeIfAbsent(segment, word -> new Node());
        }
    }
}
