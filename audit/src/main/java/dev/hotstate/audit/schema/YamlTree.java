package dev.hotstate.audit.schema;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A YAML document whose parts know their lines.
 *
 * @param value a map, a list, a text, or nothing
 */
record YamlTree(int line, @Nullable Object value) {

    /** @throws IllegalArgumentException with the line, if it is no YAML, or has aliases */
    static YamlTree parse(String yaml) {
        try (YAMLParser parser = new YAMLFactory().createParser(yaml)) {
            JsonToken first = parser.nextToken();
            return first == null ? new YamlTree(1, null) : tree(parser);
        } catch (JsonProcessingException wrong) {
            throw new IllegalArgumentException("it is no YAML: " + said(wrong) + line(wrong.getLocation()), wrong);
        } catch (IOException wrong) {
            throw new UncheckedIOException("a text was not read", wrong);
        }
    }

    @SuppressWarnings("unchecked")
    @Nullable
    Map<String, YamlTree> map() {
        return value instanceof Map ? (Map<String, YamlTree>) value : null;
    }

    @SuppressWarnings("unchecked")
    @Nullable
    List<YamlTree> list() {
        return value instanceof List ? (List<YamlTree>) value : null;
    }

    @Nullable
    String text() {
        return value instanceof String text ? text : null;
    }

    private static YamlTree tree(YAMLParser parser) throws IOException {
        int line = parser.currentTokenLocation().getLineNr();
        if (parser.isCurrentAlias()) {
            throw new IllegalArgumentException(
                    "aliases are not read; write out what *" + parser.getText() + " stands for (line " + line + ")");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, YamlTree> map = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    if (map.put(name, tree(parser)) != null) {
                        throw new IllegalArgumentException(name + " is there twice (line "
                                + parser.currentTokenLocation().getLineNr() + ")");
                    }
                }
                yield new YamlTree(line, map);
            }
            case START_ARRAY -> {
                List<YamlTree> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(tree(parser));
                }
                yield new YamlTree(line, list);
            }
            case VALUE_NULL -> new YamlTree(line, null);
            default -> new YamlTree(line, parser.getText());
        };
    }

    private static String said(JsonProcessingException wrong) {
        return wrong.getOriginalMessage().lines().findFirst().orElse("");
    }

    private static String line(@Nullable JsonLocation place) {
        return place == null ? "" : " (line " + place.getLineNr() + ")";
    }
}
