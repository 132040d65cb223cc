package dev.hotstate.bench.monitors;

import static java.util.stream.Collectors.groupingBy;

import dev.hotstate.bench.monitors.AlertLog.Message;
import dev.hotstate.bench.monitors.ScriptedTargets.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the targets did, beside what PostgreSQL has of it and what the webhook was told: each outage must be one incident,
 * opened in it and closed after it, and each incident must have been told when it opened and when it closed. A message may
 * come twice, but then with the same key, and only where its sender was killed while it was under way.
 */
record Verdict(List<String> faults, List<Double> openedAfterMs, List<Double> toldAfterMs, int duplicates) {
    /** Clocks of one machine, rounded to milliseconds; and an answer that was under way when its target changed. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    private static final List<String> EVENTS = List.of("incident.opened", "incident.closed");

    /** An incident as PostgreSQL has it. */
    record Incident(
            long id,
            int monitor,
            Instant startedAt,
            @Nullable Instant endedAt) {}

    /** @param mostDuplicates as many messages as were under way when their senders were killed, at most */
    static Verdict of(List<Outage> outages, List<Incident> incidents, List<Message> messages, int mostDuplicates) {
        Judge judge = new Judge(messages);
        Map<Integer, List<Incident>> byMonitor =
                new TreeMap<>(incidents.stream().collect(groupingBy(Incident::monitor)));
        Map<Integer, List<Outage>> happened = outages.stream().collect(groupingBy(Outage::monitor));
        Set<Integer> monitors = new HashSet<>(byMonitor.keySet());
        monitors.addAll(happened.keySet());
        monitors.forEach(monitor ->
                judge.compare(happened.getOrDefault(monitor, List.of()), byMonitor.getOrDefault(monitor, List.of())));
        incidents.forEach(judge::requireTold);
        judge.requireOneKeyEach();
        judge.requireDuplicatesExplained(mostDuplicates);
        return new Verdict(judge.faults, judge.openedAfterMs, judge.toldAfterMs, judge.duplicates);
    }

    private static final class Judge {
        private final List<String> faults = new ArrayList<>();
        private final List<Double> openedAfterMs = new ArrayList<>();
        private final List<Double> toldAfterMs = new ArrayList<>();
        private final Map<String, List<Message>> byAlert = new HashMap<>();
        private int duplicates;

        Judge(List<Message> messages) {
            messages.forEach(message -> byAlert.computeIfAbsent(
                            alert(message.incident(), message.event()), none -> new ArrayList<>())
                    .add(message));
        }

        void compare(List<Outage> outages, List<Incident> incidents) {
            Set<Incident> unexplained = new HashSet<>(incidents);
            for (int i = 0; i < outages.size(); i++) {
                Outage outage = outages.get(i);
                Instant next = i + 1 < outages.size() ? outages.get(i + 1).began() : Instant.MAX;
                List<Incident> its = incidents.stream()
                        .filter(incident -> isWithin(incident.startedAt(), outage.began(), outage.ended()))
                        .toList();
                its.forEach(unexplained::remove);
                if (its.size() == 1) {
                    requireClosedBetween(outage, its.getFirst(), next);
                } else {
                    faults.add(its.size() + " incidents for " + outage + ": " + its);
                }
            }
            unexplained.forEach(incident -> faults.add("no outage for " + incident + ", but " + outages));
        }

        private void requireClosedBetween(Outage outage, Incident incident, Instant next) {
            Instant ended = incident.endedAt();
            if (ended == null) {
                faults.add("never closed: " + incident + " of " + outage);
            } else if (!isWithin(ended, outage.ended(), next)) {
                faults.add("closed at the wrong time: " + incident + " of " + outage);
            }
            openedAfterMs.add(millis(outage.began(), incident.startedAt()));
            byAlert.getOrDefault(alert(incident.id(), EVENTS.getFirst()), List.of()).stream()
                    .filter(Message::taken)
                    .findFirst()
                    .ifPresent(first -> toldAfterMs.add(millis(outage.began(), first.at())));
        }

        void requireTold(Incident incident) {
            for (String event : EVENTS) {
                List<Message> its = byAlert.getOrDefault(alert(incident.id(), event), List.of());
                long taken = its.stream().filter(Message::taken).count();
                if (taken == 0) {
                    faults.add("lost: " + event + " of " + incident + ", sent " + its.size() + " times");
                }
                duplicates += (int) Math.max(0, taken - 1);
            }
        }

        void requireDuplicatesExplained(int most) {
            if (duplicates > most) {
                faults.add(duplicates + " messages came twice, and the servers that were killed had at most " + most
                        + " under way");
            }
        }

        void requireOneKeyEach() {
            Map<String, String> alertOfKey = new HashMap<>();
            byAlert.forEach((alert, its) -> {
                Set<String> keys = new HashSet<>();
                its.forEach(message -> keys.add(message.key()));
                if (keys.size() > 1) {
                    faults.add(alert + " came with " + keys.size() + " keys: " + keys);
                }
                keys.forEach(key -> {
                    String other = alertOfKey.putIfAbsent(key, alert);
                    if (other != null) {
                        faults.add("the key " + key + " is of " + alert + " and of " + other);
                    }
                });
            });
        }

        private static String alert(long incident, String event) {
            return event + " of incident " + incident;
        }

        private static boolean isWithin(Instant at, Instant from, Instant to) {
            boolean late = to.isBefore(Instant.MAX) && at.isAfter(to.plus(TOLERANCE));
            return !at.isBefore(from.minus(TOLERANCE)) && !late;
        }

        private static double millis(Instant from, Instant to) {
            return Duration.between(from, to).toMillis();
        }
    }
}
