package dev.hotstate.server.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.hotstate.server.config.Source.Given;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Reads the text of a configuration file; {@code redis: {timeout: 1s}} and {@code redis.timeout: 1s} are the same. */
final class SettingsYaml {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final List<String> NAMES =
            DeclaredSettings.ALL.stream().map(Setting::name).toList();

    private final String file;
    private final Map<String, Given> values = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    private SettingsYaml(String file) {
        this.file = file;
    }

    static Source read(String file, String text) {
        var yaml = new SettingsYaml(file);
        try {
            yaml.readTop(YAML.readTree(text));
        } catch (JsonProcessingException unreadable) {
            yaml.problems.add(file + ": " + reason(unreadable));
        }
        return new Source(yaml.values, yaml.problems);
    }

    private void readTop(JsonNode top) {
        if (top.isObject()) {
            readGroup("", top);
        } else if (!top.isMissingNode() && !top.isNull()) {
            problems.add(file + ": must be a list of \"key: value\" lines");
        }
    }

    private void readGroup(String prefix, JsonNode group) {
        group.properties().forEach(entry -> readEntry(prefix + entry.getKey(), entry.getValue()));
    }

    private void readEntry(String name, JsonNode value) {
        boolean isGroup = NAMES.stream().anyMatch(known -> known.startsWith(name + "."));
        if (NAMES.contains(name)) {
            readValue(name, value);
        } else if (!isGroup) {
            problems.add(file + ": unknown key \"" + name + "\"" + DeclaredSettings.hint(name, NAMES));
        } else if (value.isObject()) {
            readGroup(name + ".", value);
        } else if (!value.isNull()) {
            problems.add(file + ": \"" + name + "\" is a group of keys, such as "
                    + NAMES.stream()
                            .filter(known -> known.startsWith(name + "."))
                            .findFirst()
                            .orElseThrow());
        }
    }

    /** A key without a value is as if it were not there. */
    private void readValue(String name, JsonNode value) {
        var given = new Given(text(value), file + ": " + name);
        if (value.isNull()) {
            return;
        }
        if (value.isObject() || value.isArray() && !isFlat(value)) {
            problems.add(given.where() + " is nested; give one value or one list");
        } else if (values.put(name, given) != null) {
            problems.add(given.where() + " is given twice");
        }
    }

    private static String text(JsonNode value) {
        return value.isArray() ? String.join(",", elements(value)) : value.asText();
    }

    private static boolean isFlat(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).allMatch(JsonNode::isValueNode);
    }

    private static List<String> elements(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    /** The line and the first sentence; the parser's own excerpt could show a secret. */
    private static String reason(JsonProcessingException unreadable) {
        var place = unreadable.getLocation();
        var line = place == null ? "" : " at line " + place.getLineNr() + ", column " + place.getColumnNr();
        var message = unreadable.getOriginalMessage();
        return message.startsWith("Duplicate field")
                ? message.replaceFirst("Duplicate field '([^']*)'.*", "\"$1\" is given twice") + line
                : "not valid YAML" + line;
    }
}
