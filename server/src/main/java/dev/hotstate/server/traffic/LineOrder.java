package dev.hotstate.server.traffic;

import dev.hotstate.server.http.Request;
import dev.hotstate.traffic.Line;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The order of a list: the largest first, those without a value last, ties by name. */
final class LineOrder {
    private static final List<String> CHOICES =
            List.of("requests", "errors", "avg_ms", "p50", "p90", "p95", "p99", "name");
    private static final Comparator<Line> BY_NAME = Comparator.comparing(Line::name);

    private LineOrder() {}

    static Comparator<Line> of(Request request) {
        return switch (request.queryChoice("sort", CHOICES).orElse("requests")) {
            case "errors" -> largestFirst(line -> (double) line.errors());
            case "avg_ms" -> largestFirst(Line::avgMs);
            case "p50" -> largestFirst(Line::p50);
            case "p90" -> largestFirst(Line::p90);
            case "p95" -> largestFirst(Line::p95);
            case "p99" -> largestFirst(Line::p99);
            case "name" -> BY_NAME;
            default -> largestFirst(line -> (double) line.requests());
        };
    }

    private static Comparator<Line> largestFirst(Function<Line, @Nullable Double> value) {
        return Comparator.comparing(value, Comparator.nullsLast(Comparator.reverseOrder()))
                .thenComparing(BY_NAME);
    }
}
