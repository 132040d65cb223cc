package dev.hotstate.bench.monitors;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** The monitors of a benchmark, known by their numbers, as they are applied through the API. */
final class Definitions {
    private static final int AT_ONCE = 10_000;

    private Definitions() {}

    static String id(int monitor) {
        return "m" + monitor;
    }

    static int number(String id) {
        return Integer.parseInt(id.substring(1));
    }

    /** Applies so many, some thousand a call. */
    static void apply(Api api, int monitors, IntFunction<Map<String, Object>> document) {
        for (int from = 0; from < monitors; from += AT_ONCE) {
            List<Map<String, Object>> some = new ArrayList<>();
            for (int monitor = from; monitor < Math.min(from + AT_ONCE, monitors); monitor++) {
                some.add(document.apply(monitor));
            }
            api.put("/monitors", some);
        }
    }

    static Map<String, Object> http(int monitor, String url, int seconds) {
        return Map.of(
                "id",
                id(monitor),
                "name",
                "Monitor " + monitor,
                "type",
                "http",
                "target",
                url,
                "interval",
                seconds + "s",
                "tags",
                List.of("rack-" + monitor % 100));
    }
}
