package dev.hotstate.server.traffic;

import dev.hotstate.traffic.EndpointDetail;
import dev.hotstate.traffic.Line;
import dev.hotstate.traffic.Summary;
import dev.hotstate.traffic.Window;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Traffic as the API writes it. Times are milliseconds with three decimals, since microseconds are what is counted. */
final class Shown {
    private Shown() {}

    /** {@code GET /traffic}. */
    static Fleet fleet(Summary summary) {
        var times = summary.responses();
        return new Fleet(
                summary.connections(),
                summary.requests(),
                new Errors(summary.errors(), summary.errorsByStatus()),
                new Times(ms(times.avgMs()), ms(times.p50()), ms(times.p90()), ms(times.p95()), ms(times.p99())),
                summary.instances());
    }

    record Fleet(
            Summary.Connections connections,
            Summary.Requests requests,
            Errors errors,
            Times responseMs,
            long instances) {}

    record Errors(long total, Map<Integer, Long> byStatus) {}

    record Times(
            @Nullable Double avg,
            @Nullable Double p50,
            @Nullable Double p90,
            @Nullable Double p95,
            @Nullable Double p99) {}

    /** @param what its name is: {@code endpoint}, {@code instance}, {@code hour} */
    static Map<String, @Nullable Object> line(String what, Line line) {
        var shown = new LinkedHashMap<String, @Nullable Object>();
        shown.put(what, line.name());
        shown.put("requests", line.requests());
        shown.put("errors", line.errors());
        shown.put("avg_ms", ms(line.avgMs()));
        shown.put("p50", ms(line.p50()));
        shown.put("p90", ms(line.p90()));
        shown.put("p95", ms(line.p95()));
        shown.put("p99", ms(line.p99()));
        return shown;
    }

    static Map<String, @Nullable Object> instance(Line line, boolean live) {
        var shown = line("instance", line);
        shown.put("live", live);
        return shown;
    }

    /** Its totals since ever, with the percentiles of the last day; then each window, and the last requests. */
    static Map<String, @Nullable Object> endpoint(EndpointDetail detail) {
        var windows = detail.windows();
        var shown = line("endpoint", Objects.requireNonNull(windows.get(Window.DAY)));
        shown.put("endpoint", detail.name());
        shown.put("requests", detail.requests());
        shown.put("errors", detail.errors());
        shown.put("avg_ms", ms(detail.avgMs()));
        shown.put(
                "items",
                Arrays.stream(Window.values())
                        .map(window -> window(detail, window))
                        .toList());
        shown.put("samples", detail.samples().reversed());
        return shown;
    }

    private static Map<String, @Nullable Object> window(EndpointDetail detail, Window window) {
        var shown = line("endpoint", Objects.requireNonNull(detail.windows().get(window)));
        shown.put("endpoint", detail.name());
        shown.put("window", window.toString());
        return shown;
    }

    private static @Nullable Double ms(@Nullable Double exact) {
        return exact == null ? null : Math.round(exact * 1000) / 1000.0;
    }
}
