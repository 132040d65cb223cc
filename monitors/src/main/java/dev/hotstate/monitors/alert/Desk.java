package dev.hotstate.monitors.alert;

import java.util.HashMap;
import java.util.Map;

/** How many messages are under way on this instance, and on which channels. */
final class Desk {
    private final Map<String, Integer> busy = new HashMap<>();
    private int underWay;

    synchronized Map<String, Integer> busy() {
        return Map.copyOf(busy);
    }

    synchronized int underWay() {
        return underWay;
    }

    synchronized void begin(String channel) {
        underWay++;
        busy.merge(channel, 1, Integer::sum);
    }

    synchronized void end(String channel) {
        underWay--;
        busy.computeIfPresent(channel, (name, count) -> count == 1 ? null : count - 1);
    }
}
