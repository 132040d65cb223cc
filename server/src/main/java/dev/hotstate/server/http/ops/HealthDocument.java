package dev.hotstate.server.http.ops;

import java.util.List;
import java.util.Map;

/** Health as it is answered: {@code up} or {@code degraded} when the server can be used, else {@code down}. */
public record HealthDocument(String status, List<Map<String, Object>> parts) {
    public HealthDocument {
        parts = List.copyOf(parts);
    }

    boolean isUsable() {
        return !status.equals("down");
    }

    /** What makes a document another one: states and sentences, not figures, which change at every look. */
    List<Object> essence() {
        return parts.stream()
                .<Object>map(
                        part -> List.of(part.get("name"), part.get("status"), part.get("detail"), part.get("since")))
                .toList();
    }
}
