package dev.hotstate.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON merge patch, RFC 7396: null removes, objects merge, everything else replaces. */
final class MergePatch {
    private MergePatch() {}

    /** What the patch makes of the target; the target itself stays as it is. */
    static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode)) {
            return patch;
        }
        ObjectNode merged =
                target instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        patch.properties().forEach(change -> {
            if (change.getValue().isNull()) {
                merged.remove(change.getKey());
            } else {
                var before = merged.path(change.getKey());
                merged.set(change.getKey(), apply(before, change.getValue()));
            }
        });
        return merged;
    }
}
