package dev.hotstate.drivers;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Drivers as Redis has them, for those who watch. Nothing is changed. */
final class RedisLook {
    static final Script<List<String>> LOOK = Script.of(
            RedisLook.class, "look", List.of("incarnation", "fix", "profile", "reserved"), reply -> reply.list(0));
    static final Script<Tally> TALLY =
            Script.of(RedisLook.class, "tally", List.of("incarnation", "counts"), RedisLook::tally);

    private final Redis redis;
    private final Passes passes;

    RedisLook(Redis redis, Passes passes) {
        this.redis = redis;
        this.passes = passes;
    }

    /** Those of up to {@value RedisRegion#MAX_BATCH} that are in a region, by id. */
    Map<String, LiveDriver> drivers(Partition region, List<String> ids) {
        return drivers(List.of(region), ids).getFirst();
    }

    /** Those that are in each region, all asked at once; in the order of the regions. */
    List<Map<String, LiveDriver>> drivers(List<Partition> regions, List<String> ids) {
        RedisRegion.requireBatch(ids);
        List<Script.Call> calls = new ArrayList<>(regions.size());
        for (Partition region : regions) {
            List<String> args = RedisRegion.args(redis, passes.of(region));
            args.addAll(ids);
            calls.add(new Script.Call(
                    List.of(
                            CoreKeys.INCARNATION.of(region),
                            DriverKeys.FIX.of(region),
                            DriverKeys.PROFILE.of(region),
                            DriverKeys.RESERVED.of(region)),
                    args));
        }
        return LOOK.runAll(redis, calls).stream().map(parts -> live(ids, parts)).toList();
    }

    /** @param updates fixes that were accepted since the region began */
    record Tally(Summary.Counts counts, long updates) {}

    Tally counts(Partition region) {
        return counts(List.of(region)).getFirst();
    }

    /** In the order of the regions, each of which is whole. */
    List<Tally> counts(List<Partition> regions) {
        return TALLY.runAll(
                redis,
                regions.stream()
                        .map(region -> new Script.Call(
                                List.of(CoreKeys.INCARNATION.of(region), DriverKeys.COUNTS.of(region)),
                                RedisRegion.args(redis, passes.of(region))))
                        .toList());
    }

    private static Map<String, LiveDriver> live(List<String> ids, List<String> parts) {
        Map<String, LiveDriver> live = new HashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            String line = parts.get(3 * i);
            if (!line.isEmpty()) {
                live.put(ids.get(i), live(ids.get(i), line, parts.get(3 * i + 1), parts.get(3 * i + 2)));
            }
        }
        return live;
    }

    private static LiveDriver live(String id, String line, String profile, String reservation) {
        return new LiveDriver(
                id, DriverLine.parse(line), KeptProfile.rating(profile), KeptProfile.tags(profile), held(reservation));
    }

    private static @Nullable Held held(String reservation) {
        if (reservation.isEmpty()) {
            return null;
        }
        String[] parts = reservation.split(" ", -1);
        return new Held(parts[0], parts[1], DriverLine.millis(parts[2]));
    }

    private static Tally tally(Reply reply) {
        List<String> parts = reply.list(0);
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < parts.size(); i += 2) {
            fields.put(parts.get(i), parts.get(i + 1));
        }
        return new Tally(
                new Summary.Counts(
                        number(fields, "available"),
                        number(fields, "busy"),
                        number(fields, "offline"),
                        number(fields, "reserved")),
                number(fields, "updates"));
    }

    private static long number(Map<String, String> fields, String name) {
        return Long.parseLong(fields.getOrDefault(name, "0"));
    }
}
