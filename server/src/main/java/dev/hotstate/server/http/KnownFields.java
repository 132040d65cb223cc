package dev.hotstate.server.http;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.text.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Refuses fields that a record does not have, all of them at once, each with the nearest name that it does have. (Jackson
 * would stop at the first, and bind what a typing error left out as if it had not been given.)
 */
final class KnownFields {
    private static final Map<JavaType, Map<String, JavaType>> FIELDS = new ConcurrentHashMap<>();

    private KnownFields() {}

    static void refuseOthers(JsonNode tree, JavaType type) {
        var errors = new ArrayList<FieldError>();
        collect(tree, type, "", errors);
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
    }

    private static void collect(JsonNode node, JavaType type, String path, List<FieldError> errors) {
        if (errors.size() >= Check.MOST) {
            return;
        }
        if (node.isArray() && (type.isCollectionLikeType() || type.isArrayType())) {
            for (int i = 0; i < node.size() && errors.size() < Check.MOST; i++) {
                collect(node.get(i), type.getContentType(), path + "[" + i + "]", errors);
            }
        } else if (node.isObject() && type.isMapLikeType()) {
            node.properties()
                    .forEach(e -> collect(e.getValue(), type.getContentType(), join(path, e.getKey()), errors));
        } else if (node.isObject() && type.getRawClass().isRecord()) {
            var fields = FIELDS.computeIfAbsent(type, KnownFields::fieldsOf);
            for (var property : node.properties()) {
                var field = join(path, property.getKey());
                var known = fields.get(property.getKey());
                if (errors.size() >= Check.MOST) {
                    return;
                }
                if (known == null) {
                    errors.add(new FieldError(
                            field,
                            "unknown field"
                                    + NearestName.hint(property.getKey(), fields.keySet())
                                            .orElse("")));
                } else {
                    collect(property.getValue(), known, field, errors);
                }
            }
        }
    }

    private static Map<String, JavaType> fieldsOf(JavaType type) {
        var fields = new LinkedHashMap<String, JavaType>();
        for (var property :
                Json.MAPPER.getDeserializationConfig().introspect(type).findProperties()) {
            fields.put(property.getName(), property.getPrimaryType());
        }
        return fields;
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
