package dev.hotstate.server.http.ops;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The API's description as a plain page: no script, the dashboard's theme, every text escaped. */
final class DocsPage {
    private final ObjectNode document;
    private final StringBuilder out = new StringBuilder();

    DocsPage(ObjectNode document) {
        this.document = document;
    }

    String html() {
        var info = document.path("info");
        out.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<title>hotstate API</title>\n<link rel=\"stylesheet\" href=\"/ui/theme.css\">\n")
                .append("<link rel=\"icon\" type=\"image/svg+xml\" href=\"/ui/logo.svg\">\n")
                .append("<link rel=\"stylesheet\" href=\"/ui/docs.css\">\n</head>\n")
                .append("<body class=\"docs\">\n<main>\n");
        element("h1", "hotstate " + info.path("version").asText());
        element("p", info.path("summary").asText());
        info.path("description").asText().lines().forEach(line -> element("p", line));
        out.append("<p><a href=\"/openapi.json\">openapi.json</a> · <a href=\"/ui\">dashboard</a></p>\n");
        var byFeature = byFeature();
        contents(byFeature);
        byFeature.forEach(this::feature);
        return out.append("</main>\n</body>\n</html>\n").toString();
    }

    private Map<String, Map<String, JsonNode>> byFeature() {
        var byFeature = new TreeMap<String, Map<String, JsonNode>>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    var feature = operation.getValue().path("tags").path(0).asText();
                    var call = operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
                    byFeature
                            .computeIfAbsent(feature, name -> new TreeMap<>(DocsPage::byPath))
                            .put(call, operation.getValue());
                }));
        return byFeature;
    }

    /** GET and POST of one path stand together. */
    private static int byPath(String a, String b) {
        int path = a.substring(a.indexOf(' ')).compareTo(b.substring(b.indexOf(' ')));
        return path == 0 ? a.compareTo(b) : path;
    }

    private void contents(Map<String, Map<String, JsonNode>> byFeature) {
        out.append("<nav aria-label=\"Calls\">\n");
        byFeature.forEach((feature, calls) -> {
            element("h2", feature);
            out.append("<ul>\n");
            calls.forEach((call, operation) -> out.append("<li><a href=\"#")
                    .append(escape(operation.path("operationId").asText()))
                    .append("\"><code>")
                    .append(escape(call))
                    .append("</code></a> ")
                    .append(escape(operation.path("summary").asText()))
                    .append("</li>\n"));
            out.append("</ul>\n");
        });
        out.append("</nav>\n");
    }

    private void feature(String feature, Map<String, JsonNode> calls) {
        out.append("<section>\n");
        element("h2", feature);
        calls.forEach(this::call);
        out.append("</section>\n");
    }

    private void call(String call, JsonNode operation) {
        out.append("<article id=\"")
                .append(escape(operation.path("operationId").asText()))
                .append("\">\n");
        out.append("<h3><code>").append(escape(call)).append("</code></h3>\n");
        element("p", operation.path("summary").asText() + ".");
        if (operation.has("description")) {
            element("p", operation.path("description").asText());
        }
        element("p", "Who may call: " + operation.path("x-access").asText());
        parameters(operation.path("parameters"));
        operation
                .path("requestBody")
                .path("content")
                .properties()
                .forEach(
                        body -> schema("Body, " + body.getKey(), body.getValue().path("schema")));
        operation.path("responses").properties().forEach(this::response);
        out.append("</article>\n");
    }

    private void parameters(JsonNode parameters) {
        if (parameters.isEmpty()) {
            return;
        }
        out.append("<table>\n<caption>Parameters</caption>\n");
        for (var each : parameters) {
            var parameter = resolved(each);
            row(
                    parameter.path("name").asText(),
                    parameter.path("in").asText() + ", " + type(parameter.path("schema")),
                    parameter.path("description").asText());
        }
        out.append("</table>\n");
    }

    private void response(Map.Entry<String, JsonNode> entry) {
        var response = resolved(entry.getValue());
        element("p", entry.getKey() + ": " + response.path("description").asText());
        if (!entry.getValue().has("$ref")) {
            response.path("content")
                    .properties()
                    .forEach(body ->
                            schema("Answer, " + body.getKey(), body.getValue().path("schema")));
        }
    }

    private void schema(String caption, JsonNode schema) {
        var properties = resolved(schema).path("properties");
        if (properties.isEmpty()) {
            return;
        }
        out.append("<table>\n<caption>").append(escape(caption)).append("</caption>\n");
        var required = resolved(schema).path("required").toString();
        properties
                .properties()
                .forEach(property -> row(
                        property.getKey(),
                        type(property.getValue())
                                + (required.contains("\"" + property.getKey() + "\"") ? "" : ", optional"),
                        resolved(property.getValue()).path("description").asText()));
        out.append("</table>\n");
    }

    private String type(JsonNode schema) {
        var full = resolved(schema);
        if (full.has("enum")) {
            return "one of "
                    + full.path("enum").toString().replaceAll("[\\[\\]\"]", "").replace(",", ", ");
        }
        if (full.path("type").asText().equals("array")) {
            return "list of " + type(full.path("items"));
        }
        if (schema.has("$ref")) {
            return schema.path("$ref").asText().replaceAll(".*/", "");
        }
        return full.path("type").toString().replaceAll("[\\[\\]\"]", "").replace(",", " or ");
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    private void row(String name, String type, String description) {
        out.append("<tr><th scope=\"row\"><code>")
                .append(escape(name))
                .append("</code></th><td>")
                .append(escape(type))
                .append("</td><td>")
                .append(escape(description))
                .append("</td></tr>\n");
    }

    private void element(String name, String text) {
        out.append('<')
                .append(name)
                .append('>')
                .append(escape(text))
                .append("</")
                .append(name)
                .append(">\n");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
