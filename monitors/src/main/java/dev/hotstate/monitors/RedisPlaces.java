package dev.hotstate.monitors;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Due;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import dev.hotstate.core.Script.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Definitions on their way to Redis: placed, removed, and brought back by a rebuild. */
final class RedisPlaces {
    /** Monitors a call of cover.lua. */
    static final int MOST_COVERED = 100;

    /** Monitors whose versions are asked for at once. */
    private static final int MOST_VERSIONS = 1_000;

    /** Monitors a call of revive.lua. */
    private static final int MOST_REVIVED = 50;

    static final Script<Boolean> PLACE = Script.of(
                    RedisPlaces.class,
                    "place",
                    List.of(
                            "incarnation",
                            "schedule",
                            "fences",
                            "versions",
                            "states",
                            "latencies",
                            "status",
                            "incident",
                            "retry",
                            "unsettled",
                            "ended",
                            "beats"),
                    reply -> reply.word().equals("PLACED"))
            .repeatable();
    static final Script<Boolean> REMOVE = Script.of(
                    RedisPlaces.class,
                    "remove",
                    List.of(
                            "incarnation",
                            "schedule",
                            "fences",
                            "versions",
                            "states",
                            "latencies",
                            "unsettled",
                            "status",
                            "incident",
                            "retry",
                            "ended",
                            "beats"),
                    reply -> reply.word().equals("REMOVED"))
            .repeatable();
    static final Script<String> REVIVE = Script.of(
                    RedisPlaces.class,
                    "revive",
                    List.of(
                            "incarnation",
                            "schedule",
                            "versions",
                            "states",
                            "latencies",
                            "status and incident of each…"),
                    Reply::word)
            .repeatable();
    static final Script<Long> COVER = Script.of(
                    RedisPlaces.class,
                    "cover",
                    List.of("incarnation", "states", "schedule", "fences", "status and incident and retry of each…"),
                    reply -> reply.number(0))
            .repeatable();

    private final Redis redis;
    private final Passes passes;
    private final Partitions partitions;

    RedisPlaces(Redis redis, Passes passes, Partitions partitions) {
        this.redis = redis;
        this.passes = passes;
        this.partitions = partitions;
    }

    /** A definition to be followed from now on: first checked then, and whether maintenance covers it. */
    record Place(Definition definition, Due due, boolean maintenance) {}

    /**
     * Those of one partition that Redis may not have yet, in their order. After a start or a rebuild that is next to none of
     * all that are told, and to ask for a thousand versions costs less than to place one.
     *
     * @throws dev.hotstate.core.RebuildingException while the partition is brought back
     */
    List<Definition> unplaced(List<Definition> told) {
        Partition partition = partitions.of(told.getFirst().id());
        passes.of(partition);
        RedisLive live = new RedisLive(redis, Partitions.only(partition));
        List<Definition> unplaced = new ArrayList<>();
        for (int from = 0; from < told.size(); from += MOST_VERSIONS) {
            List<Definition> part = told.subList(from, Math.min(from + MOST_VERSIONS, told.size()));
            List<@Nullable Long> versions =
                    live.versions(partition, part.stream().map(Definition::id).toList());
            for (int i = 0; i < part.size(); i++) {
                if (isNews(part.get(i), versions.get(i))) {
                    unplaced.add(part.get(i));
                }
            }
        }
        return unplaced;
    }

    private static boolean isNews(Definition told, @Nullable Long placed) {
        if (told.deleted()) {
            return placed != null && placed <= told.version();
        }
        return placed == null || placed < told.version();
    }

    /** Places definitions that are newer than what is there; the others change nothing. */
    void place(List<Place> places) {
        PLACE.runAll(redis, places.stream().map(this::placing).toList());
    }

    /** Removes deleted monitors, but none that was made anew under its id since. */
    void remove(List<Definition> deleted) {
        REMOVE.runAll(redis, deleted.stream().map(this::removing).toList());
    }

    /**
     * What a rebuild knows of a monitor.
     *
     * @param status fields of its last known outcome; empty where it was never checked
     * @param incident fields of its open incident; empty where it has none
     */
    record Known(Place place, Map<String, String> status, Map<String, String> incident) {}

    void revive(Partition partition, Pass pass, List<Known> known) {
        List<Call> calls = new ArrayList<>();
        for (int from = 0; from < known.size(); from += MOST_REVIVED) {
            calls.add(reviving(partition, pass, known.subList(from, Math.min(from + MOST_REVIVED, known.size()))));
        }
        REVIVE.runAll(redis, calls);
    }

    /** Those of one partition that are shown as in maintenance. */
    List<String> covered(Partition partition) {
        return new RedisLive(redis, Partitions.only(partition)).in(State.MAINTENANCE);
    }

    /** Shows monitors of one partition as in maintenance, or as they are without: then those that failed last are due. */
    void cover(Partition partition, List<Monitor> monitors, boolean maintenance) {
        List<Key> keys = new ArrayList<>();
        keys.add(CoreKeys.INCARNATION.of(partition));
        keys.add(MonitorKeys.STATES.of(partition));
        keys.add(MonitorKeys.SCHEDULE.of(partition));
        keys.add(MonitorKeys.FENCES.of(partition));
        List<String> args = arguments(passes.of(partition));
        args.add(RedisOutcomes.flag(maintenance));
        for (Monitor monitor : monitors) {
            keys.add(MonitorKeys.of(MonitorKeys.STATUS, partition, monitor.id()));
            keys.add(MonitorKeys.of(MonitorKeys.INCIDENT, partition, monitor.id()));
            keys.add(MonitorKeys.of(MonitorKeys.RETRY, partition, monitor.id()));
            args.add(monitor.id());
            args.add(Integer.toString(monitor.rhythm().failureThreshold()));
            args.add(Long.toString(monitor.staleAfterAtMost().toMillis()));
            args.add(RedisOutcomes.flag(monitor.push() == null));
        }
        COVER.run(redis, keys, args);
    }

    private Call placing(Place place) {
        Monitor monitor = place.definition().monitor();
        Partition partition = partitions.of(monitor.id());
        List<String> args = arguments(passes.of(partition));
        args.addAll(arguments(place));
        args.add(Long.toString(place.definition().since()));
        return new Call(
                List.of(
                        CoreKeys.INCARNATION.of(partition),
                        MonitorKeys.SCHEDULE.of(partition),
                        MonitorKeys.FENCES.of(partition),
                        MonitorKeys.VERSIONS.of(partition),
                        MonitorKeys.STATES.of(partition),
                        MonitorKeys.LATENCIES.of(partition),
                        MonitorKeys.of(MonitorKeys.STATUS, partition, monitor.id()),
                        MonitorKeys.of(MonitorKeys.INCIDENT, partition, monitor.id()),
                        MonitorKeys.of(MonitorKeys.RETRY, partition, monitor.id()),
                        MonitorKeys.UNSETTLED.of(partition),
                        MonitorKeys.of(MonitorKeys.ENDED, partition, monitor.id()),
                        MonitorKeys.of(MonitorKeys.BEATS, partition, monitor.id())),
                args);
    }

    private Call removing(Definition deleted) {
        String id = deleted.id();
        Partition partition = partitions.of(id);
        List<String> args = arguments(passes.of(partition));
        args.add(id);
        args.add(Long.toString(deleted.version()));
        return new Call(
                List.of(
                        CoreKeys.INCARNATION.of(partition),
                        MonitorKeys.SCHEDULE.of(partition),
                        MonitorKeys.FENCES.of(partition),
                        MonitorKeys.VERSIONS.of(partition),
                        MonitorKeys.STATES.of(partition),
                        MonitorKeys.LATENCIES.of(partition),
                        MonitorKeys.UNSETTLED.of(partition),
                        MonitorKeys.of(MonitorKeys.STATUS, partition, id),
                        MonitorKeys.of(MonitorKeys.INCIDENT, partition, id),
                        MonitorKeys.of(MonitorKeys.RETRY, partition, id),
                        MonitorKeys.of(MonitorKeys.ENDED, partition, id),
                        MonitorKeys.of(MonitorKeys.BEATS, partition, id)),
                args);
    }

    private Call reviving(Partition partition, Pass pass, List<Known> known) {
        List<Key> keys = new ArrayList<>(List.of(
                CoreKeys.INCARNATION.of(partition),
                MonitorKeys.SCHEDULE.of(partition),
                MonitorKeys.VERSIONS.of(partition),
                MonitorKeys.STATES.of(partition),
                MonitorKeys.LATENCIES.of(partition)));
        List<String> args = arguments(pass);
        for (Known one : known) {
            Monitor monitor = one.place().definition().monitor();
            keys.add(MonitorKeys.of(MonitorKeys.STATUS, partition, monitor.id()));
            keys.add(MonitorKeys.of(MonitorKeys.INCIDENT, partition, monitor.id()));
            args.addAll(arguments(one.place()));
            args.add(Long.toString(RedisOutcomes.statusLife(monitor).toMillis()));
            args.add(one.status().getOrDefault("latency_ms", ""));
            args.add(Integer.toString(2 * one.status().size()));
            args.add(Integer.toString(2 * one.incident().size()));
            one.status().forEach((field, value) -> args.addAll(List.of(field, value)));
            one.incident().forEach((field, value) -> args.addAll(List.of(field, value)));
        }
        return new Call(keys, args);
    }

    /** A monitor as place.lua and revive.lua take it. */
    private static List<String> arguments(Place place) {
        Monitor monitor = place.definition().monitor();
        return List.of(
                monitor.id(),
                Long.toString(place.definition().version()),
                monitor.paused() ? "" : place.due().toString(),
                RedisOutcomes.flag(place.maintenance()),
                Integer.toString(monitor.rhythm().failureThreshold()),
                Long.toString(monitor.staleAfterAtMost().toMillis()));
    }

    private List<String> arguments(Pass pass) {
        List<String> args = new ArrayList<>();
        args.add(pass.toString());
        args.add(redis.scriptTime());
        return args;
    }
}
