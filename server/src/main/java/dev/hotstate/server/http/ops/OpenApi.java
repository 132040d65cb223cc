package dev.hotstate.server.http.ops;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The API's description, merged from a base and one fragment a feature. Who may call, the parameters of a path and the
 * problem that any call can answer come from the routes themselves, so a fragment does not repeat them; and what one
 * knows and the other does not is refused here, so the description is complete.
 */
final class OpenApi {
    private static final String FOLDER = "dev/hotstate/server/openapi/";
    private static final ObjectMapper YAML = new YAMLMapper();
    private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");

    private final ObjectNode document;
    private final Set<String> documented = new TreeSet<>();
    private final Set<String> registered = new TreeSet<>();

    private OpenApi(ObjectNode base) {
        this.document = base;
    }

    /** @throws IllegalStateException naming the calls that are not described, and the descriptions without a call */
    static ObjectNode of(List<? extends Routes> features, String version) {
        var openApi = new OpenApi(read("base"));
        openApi.document.withObject("info").put("version", version);
        features.forEach(openApi::add);
        openApi.refuseGaps();
        return openApi.document;
    }

    private void add(Routes feature) {
        var fragment = read(feature.feature());
        for (var route : feature.routes()) {
            registered.add(route.method() + " " + route.template());
            var operation = fragment.path("paths")
                    .path(route.template())
                    .path(route.method().toLowerCase(Locale.ROOT));
            if (operation instanceof ObjectNode described) {
                complete(described, route, feature.feature());
            }
        }
        fragment.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(
                                method -> documented.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
        merge(document.withObject("paths"), fragment.path("paths"));
        fragment.path("components")
                .properties()
                .forEach(kind -> merge(document.withObject("components").withObject(kind.getKey()), kind.getValue()));
    }

    private static void complete(ObjectNode operation, Route route, String feature) {
        if (!operation.has("operationId")) {
            operation.put("operationId", operationId(route));
        }
        operation.withArray("tags").add(feature);
        operation.put("x-access", route.access().text());
        if (route.access() == Access.PUBLIC) {
            operation.putArray("security");
        } else {
            var security = operation.putArray("security");
            security.addObject().putArray("token");
            security.addObject().putArray("session");
        }
        var names = PARAMETER.matcher(route.template());
        while (names.find()) {
            addPathParameter(operation, names.group(1));
        }
        var responses = operation.withObject("responses");
        if (!responses.has("default")) {
            responses.putObject("default").put("$ref", "#/components/responses/Problem");
        }
    }

    private static void addPathParameter(ObjectNode operation, String name) {
        var parameters = operation.withArray("parameters");
        for (var parameter : parameters) {
            if (parameter.path("name").asText().equals(name)) {
                return;
            }
        }
        var parameter =
                parameters.addObject().put("name", name).put("in", "path").put("required", true);
        parameter.putObject("schema").put("type", "string");
    }

    private static String operationId(Route route) {
        var words = route.template().replaceAll("[^A-Za-z0-9]+", "-").replaceAll("^-|-$", "");
        return route.method().toLowerCase(Locale.ROOT) + (words.isEmpty() ? "" : "-" + words);
    }

    private static void merge(ObjectNode into, JsonNode from) {
        from.properties().forEach(entry -> {
            if (into.has(entry.getKey())) {
                throw new IllegalStateException("two OpenAPI fragments describe \"" + entry.getKey() + "\"");
            }
            into.set(entry.getKey(), entry.getValue());
        });
    }

    private void refuseGaps() {
        var missing = new TreeSet<>(registered);
        missing.removeAll(documented);
        var surplus = new TreeSet<>(documented);
        surplus.removeAll(registered);
        if (!missing.isEmpty() || !surplus.isEmpty()) {
            throw new IllegalStateException(
                    "the OpenAPI fragments do not describe " + missing + ", and describe without a route " + surplus);
        }
    }

    private static ObjectNode read(String name) {
        var resource = FOLDER + name + ".yaml";
        try (var in = OpenApi.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the OpenAPI fragment " + resource + " is not there");
            }
            return (ObjectNode) YAML.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }
}
