package dev.hotstate.jobs;

import java.util.List;

/** How Redis calls lanes: {@code queue:run}. */
final class Lanes {
    private Lanes() {}

    static String name(Lane lane) {
        return lane.queue() + ":" + lane.run();
    }

    static Lane parse(String name) {
        int colon = name.indexOf(':');
        return new Lane(name.substring(0, colon), name.substring(colon + 1));
    }

    static List<Lane> parse(List<String> names) {
        return names.stream().map(Lanes::parse).toList();
    }
}
