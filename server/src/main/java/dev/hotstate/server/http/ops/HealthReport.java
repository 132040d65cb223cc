package dev.hotstate.server.http.ops;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a part says of itself. It is shown without a token, so it holds nothing secret.
 *
 * @param detail one sentence
 * @param figures numbers worth watching, by name
 * @param extra more fields for this part of the document, by name
 */
public record HealthReport(HealthStatus status, String detail, Map<String, Object> figures, Map<String, Object> extra) {
    public HealthReport {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        extra = Collections.unmodifiableMap(new LinkedHashMap<>(extra));
    }

    public static HealthReport of(HealthStatus status, String detail) {
        return new HealthReport(status, detail, Map.of(), Map.of());
    }

    public HealthReport withFigure(String name, Object value) {
        var more = new LinkedHashMap<>(figures);
        more.put(name, value);
        return new HealthReport(status, detail, more, extra);
    }

    public HealthReport withExtra(String name, Object value) {
        var more = new LinkedHashMap<>(extra);
        more.put(name, value);
        return new HealthReport(status, detail, figures, more);
    }
}
