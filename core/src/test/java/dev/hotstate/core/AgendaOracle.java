package dev.hotstate.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What an agenda should do, in the simplest words: maps instead of Redis, one entry at a time. */
final class AgendaOracle {
    private final Map<String, Long> schedule = new TreeMap<>();
    private final Map<String, Fence> holders = new HashMap<>();
    private final Map<String, Long> wishes = new HashMap<>();

    void put(String id, long at) {
        if (holders.containsKey(id)) {
            wishes.merge(id, at, Math::min);
        } else {
            schedule.put(id, at);
        }
    }

    /** The ids that a claim must bring, in the order it must bring them. */
    List<String> due(long now, int max) {
        return schedule.entrySet().stream()
                .filter(entry -> entry.getValue() <= now)
                .sorted(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .limit(max)
                .map(Map.Entry::getKey)
                .toList();
    }

    void claimed(String id, Fence fence, long until) {
        schedule.put(id, until);
        holders.put(id, fence);
    }

    boolean holds(String id, Fence fence) {
        return fence.equals(holders.get(id));
    }

    void extended(String id, long until) {
        schedule.put(id, until);
    }

    void settled(String id, OptionalLong at) {
        holders.remove(id);
        Long wish = wishes.remove(id);
        List<Long> times = new ArrayList<>();
        at.ifPresent(times::add);
        if (wish != null) {
            times.add(wish);
        }
        times.stream()
                .min(Comparator.naturalOrder())
                .ifPresentOrElse(next -> schedule.put(id, next), () -> schedule.remove(id));
    }

    void dropped(String id) {
        schedule.remove(id);
        holders.remove(id);
        wishes.remove(id);
    }

    Map<String, Long> schedule() {
        return schedule;
    }

    int held() {
        return holders.size();
    }
}
