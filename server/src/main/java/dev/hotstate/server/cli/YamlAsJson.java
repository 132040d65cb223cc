package dev.hotstate.server.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.hotstate.server.http.Json;

/** A schema as JSON, where its file is YAML. */
final class YamlAsJson {
    private static final YAMLMapper YAML = new YAMLMapper();

    private YamlAsJson() {}

    static String of(String yaml) {
        try {
            return Json.pretty(YAML.readTree(yaml)) + "\n";
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException("what we wrote is no YAML", broken);
        }
    }
}
