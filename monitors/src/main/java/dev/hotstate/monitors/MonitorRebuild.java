package dev.hotstate.monitors;

import dev.hotstate.core.Due;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Rebuild;
import dev.hotstate.monitors.RedisPlaces.Known;
import dev.hotstate.monitors.RedisPlaces.Place;
import dev.hotstate.monitors.history.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brings monitors back after Redis lost them: their schedule, spread over a minute at most; their open incidents, with
 * the number that says that they were told; their last known outcome, which is shown as stale until the next one.
 * Retries under way and failures below the threshold are forgotten, for PostgreSQL has neither: a failure is then looked at
 * again from the start.
 */
final class MonitorRebuild implements Rebuild {
    private static final int PAGE = 1_000;

    private final Directory directory;
    private final Partitions partitions;
    private final RedisPlaces places;
    private final PostgresIncidents incidents;
    private final Function<Collection<String>, Map<String, Result>> latest;
    private final Maintenance maintenance;
    private final InstantSource clock;
    private final Map<Partition, Snapshot> snapshots = new ConcurrentHashMap<>();

    MonitorRebuild(
            Directory directory,
            Partitions partitions,
            RedisPlaces places,
            PostgresIncidents incidents,
            Function<Collection<String>, Map<String, Result>> latest,
            Maintenance maintenance,
            InstantSource clock) {
        this.directory = directory;
        this.partitions = partitions;
        this.places = places;
        this.incidents = incidents;
        this.latest = latest;
        this.maintenance = maintenance;
        this.clock = clock;
    }

    @Override
    public Page load(Partition partition, Pass pass, @Nullable String cursor) {
        List<Definition> all = inOrder(partition, pass, cursor == null);
        int from = cursor == null ? 0 : after(all, cursor);
        List<Definition> page = all.subList(from, Math.min(from + PAGE, all.size()));
        if (!page.isEmpty()) {
            places.revive(partition, pass, known(page));
        }
        if (page.size() < PAGE) {
            snapshots.remove(partition);
            return Page.last(page.size());
        }
        return Page.upTo(page.size(), page.getLast().id());
    }

    /**
     * Of one moment for all pages of one rebuilder: whatever changes meanwhile is placed once the partition is ready. One
     * who takes over begins with what is there then.
     */
    private List<Definition> inOrder(Partition partition, Pass pass, boolean first) {
        Snapshot known = snapshots.get(partition);
        if (first || known == null || !known.pass().equals(pass)) {
            directory.refresh();
            known = new Snapshot(
                    pass,
                    directory
                            .all()
                            .filter(definition -> partitions.of(definition.id()).equals(partition))
                            .sorted(Comparator.comparing(Definition::id))
                            .toList());
            snapshots.put(partition, known);
        }
        return known.definitions();
    }

    private record Snapshot(Pass pass, List<Definition> definitions) {}

    /** Where the first one after that id is, whether or not one has it still. */
    private static int after(List<Definition> ordered, String id) {
        int low = 0;
        int high = ordered.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ordered.get(middle).id().compareTo(id) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private List<Known> known(List<Definition> page) {
        List<String> ids = page.stream().map(Definition::id).toList();
        Map<String, Result> results =
                latest.apply(page.stream().map(Definition::historyName).toList());
        Map<String, Incident> open = incidents.open(ids).stream()
                .collect(Collectors.toMap(incident -> incident.monitor().id(), Function.identity()));
        List<Known> known = new ArrayList<>();
        for (Definition definition : page) {
            Result last = results.get(definition.historyName());
            known.add(new Known(
                    place(definition, last),
                    status(last),
                    Optional.ofNullable(open.get(definition.id()))
                            .map(incident -> incident.fields(definition.monitor()))
                            .orElse(Map.of())));
        }
        return known;
    }

    private Place place(Definition definition, @Nullable Result last) {
        Instant now = clock.instant();
        Monitor monitor = definition.monitor();
        return new Place(definition, due(monitor, last, now), maintenance.covers(monitor, now));
    }

    /**
     * What was never checked is wanted soon: somebody made it just now. The others are spread; and a job that should have
     * reported by now may have tried to, so it gets its grace once more.
     */
    private Due due(Monitor monitor, @Nullable Result last, Instant now) {
        Monitor.Push push = monitor.push();
        if (last == null) {
            return Placement.firstRun(monitor, directory.size(), now);
        }
        if (push == null) {
            return Due.in(Duration.ofMillis(CatchUp.spread(monitor)));
        }
        Instant deadline = Checking.deadline(monitor, push, last.at());
        Instant spared = now.plus(push.grace());
        return Due.at(deadline.isAfter(spared) ? deadline : spared);
    }

    private static Map<String, String> status(@Nullable Result last) {
        if (last == null) {
            return Map.of();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        String at = Long.toString(last.at().toEpochMilli());
        fields.put("checked_at", at);
        fields.put("ok", RedisOutcomes.flag(last.ok()));
        fields.put("latency_ms", Long.toString(last.latencyMs()));
        if (last.ok()) {
            fields.put("last_ok_at", at);
        }
        if (last.error() != null) {
            fields.put("error", last.error());
        }
        if (last.statusCode() != null) {
            fields.put("status_code", last.statusCode().toString());
        }
        return fields;
    }
}
