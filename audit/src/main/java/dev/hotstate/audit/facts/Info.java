package dev.hotstate.audit.facts;

import dev.hotstate.audit.wire.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lines of INFO. */
public final class Info {
    private Info() {}

    record Place(String host, int port) {}

    public static Map<String, String> parse(Reply reply) {
        Map<String, String> fields = new LinkedHashMap<>();
        if (reply instanceof Reply.Text text) {
            for (String line : text.toString().split("\r?\n")) {
                int colon = line.indexOf(':');
                if (colon > 0 && line.charAt(0) != '#') {
                    fields.put(line.substring(0, colon), line.substring(colon + 1));
                }
            }
        }
        return fields;
    }

    /** What a master says of those who copy it. */
    static List<Place> replicas(Map<String, String> info) {
        List<Place> places = new ArrayList<>();
        for (int i = 0; info.containsKey("slave" + i); i++) {
            Map<String, String> parts = parts(info.getOrDefault("slave" + i, ""));
            if (parts.containsKey("ip") && parts.containsKey("port")) {
                places.add(new Place(parts.getOrDefault("ip", ""), (int) number(parts, "port")));
            }
        }
        return places;
    }

    /** {@code keys=5,expires=2}: the value of one line. */
    public static Map<String, String> parts(String line) {
        Map<String, String> parts = new LinkedHashMap<>();
        for (String part : line.split(",")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
        return parts;
    }

    /** 0 where it is not there. */
    public static long number(Map<String, String> info, String field) {
        return (long) decimal(info, field);
    }

    public static double decimal(Map<String, String> info, String field) {
        try {
            return Double.parseDouble(info.getOrDefault(field, "0").trim());
        } catch (NumberFormatException none) {
            return 0;
        }
    }
}
