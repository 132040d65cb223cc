package dev.hotstate.drivers;

import static java.time.temporal.ChronoUnit.MICROS;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.core.Partition;
import dev.hotstate.drivers.LocatedAll.Refused;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Takes fixes: each goes to the region whose shape it is in, many in one round trip. While there is only one region, that is
 * all; where there are several, who is not known there is looked for ({@link Journeys}).
 */
final class Locator {
    static final int MOST = 10_000;

    private static final Flaw FUTURE = new Flaw("at", "must not be more than 60s ahead of now");

    private final RedisFixes fixes;
    private final Supplier<Atlas> atlas;
    private final Journeys journeys;
    private final WriteBehind behind;
    private final Consumer<DriverChange> changes;

    Locator(
            RedisFixes fixes,
            Supplier<Atlas> atlas,
            Journeys journeys,
            WriteBehind behind,
            Consumer<DriverChange> changes) {
        this.fixes = fixes;
        this.atlas = atlas;
        this.journeys = journeys;
        this.behind = behind;
        this.changes = changes;
    }

    Located locate(Fix fix) {
        CellFix sent = CellFix.of(fix);
        Takings takings = take(List.of(sent));
        Placed placed = takings.placed(sent);
        if (placed == null) {
            throw takings.failure(sent).orElseThrow();
        }
        return switch (placed.reply()) {
            case FixReply.Accepted accepted -> new Located(accepted.status(), placed.region(), true);
            case FixReply.Ignored ignored -> new Located(ignored.status(), placed.region(), false);
            default -> throw new InvalidDocumentException(List.of(FUTURE));
        };
    }

    /** Each driver for itself; it throws only where nothing at all came of any. */
    LocatedAll locateAll(List<Fix> all) {
        new Flaws()
                .that(all.size() <= MOST, "items", "must be at most " + MOST + ", not " + all.size())
                .refuse();
        Map<Integer, Flaw> refused = new TreeMap<>();
        int accepted = 0;
        List<Integer> sent = newestOfEach(all, IntStream.range(0, all.size()));
        while (!sent.isEmpty()) {
            List<CellFix> fixes = sent.stream().map(i -> CellFix.of(all.get(i))).toList();
            Takings takings = take(fixes);
            if (!takings.hasAny() && refused.isEmpty()) {
                throw takings.failure(fixes.getFirst()).orElseThrow();
            }
            Map<String, Instant> ahead = new HashMap<>();
            for (int i = 0; i < fixes.size(); i++) {
                CellFix fix = fixes.get(i);
                Placed placed = takings.placed(fix);
                if (placed == null) {
                    refused.put(sent.get(i), untaken(takings.failure(fix).orElseThrow()));
                } else if (placed.reply() instanceof FixReply.Future future) {
                    ahead.put(fix.id(), future.latest());
                } else if (placed.reply() instanceof FixReply.Accepted) {
                    accepted++;
                }
            }
            sent = withoutFuture(all, ahead, refused);
        }
        return new LocatedAll(
                accepted,
                all.size() - accepted - refused.size(),
                refused.entrySet().stream()
                        .map(one -> new Refused(one.getKey(), one.getValue()))
                        .toList());
    }

    private static Flaw untaken(HotstateException failed) {
        return new Flaw("", "was not taken, and may be sent again: " + failed.getMessage());
    }

    /** Of drivers whose newest is from the future: the newest of each that is not, if there is any. */
    private static List<Integer> withoutFuture(List<Fix> all, Map<String, Instant> ahead, Map<Integer, Flaw> refused) {
        if (ahead.isEmpty()) {
            return List.of();
        }
        List<Integer> others = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Instant latest = ahead.get(all.get(i).id());
            if (latest != null && !refused.containsKey(i)) {
                Instant at = all.get(i).at();
                if (at != null && at.truncatedTo(MICROS).isAfter(latest)) {
                    refused.put(i, FUTURE);
                } else {
                    others.add(i);
                }
            }
        }
        return newestOfEach(all, others.stream().mapToInt(i -> i));
    }

    /** Which of these is the newest of its driver. */
    private static List<Integer> newestOfEach(List<Fix> all, IntStream places) {
        Map<String, Integer> newest = new LinkedHashMap<>();
        places.forEach(i ->
                newest.merge(all.get(i).id(), i, (one, other) -> isNewer(all.get(other), all.get(one)) ? other : one));
        return List.copyOf(newest.values());
    }

    private static boolean isNewer(Fix fix, Fix than) {
        return FixOrder.isNewer(fix.seq(), fix.at(), than.seq(), than.at());
    }

    /** Of drivers that differ; what came of each: accepted, ignored, of the future, or why nothing did. */
    private Takings take(List<CellFix> all) {
        Atlas now = atlas.get();
        Takings takings = new Takings(this::tell);
        Queue<CellFix> elsewhere = new ConcurrentLinkedQueue<>();
        List<Callable<Boolean>> calls = new ArrayList<>();
        byRegion(all, now)
                .forEach((region, some) -> Chunks.of(some, RedisRegion.MAX_BATCH)
                        .forEach(chunk -> calls.add(() -> takings.attempt(
                                chunk, () -> elsewhere.addAll(update(region, chunk, now.hasOnlyDefault(), takings))))));
        Chunks.together(calls);
        if (!elsewhere.isEmpty()) {
            journeys.take(List.copyOf(elsewhere), takings);
        }
        return takings;
    }

    /** Those that are not there. */
    private List<CellFix> update(Partition region, List<CellFix> chunk, boolean enter, Takings takings) {
        List<FixReply> replies = fixes.update(region, chunk, enter);
        List<CellFix> elsewhere = new ArrayList<>();
        for (int i = 0; i < chunk.size(); i++) {
            Placed placed = new Placed(replies.get(i), region.tag());
            journeys.seen(chunk.get(i), placed);
            if (placed.isElsewhere()) {
                elsewhere.add(chunk.get(i));
            } else {
                takings.put(chunk.get(i), placed);
            }
        }
        return elsewhere;
    }

    private Map<Partition, List<CellFix>> byRegion(List<CellFix> taken, Atlas now) {
        if (now.hasOnlyDefault()) {
            return taken.isEmpty() ? Map.of() : Map.of(Atlas.DEFAULT, taken);
        }
        Map<Partition, List<CellFix>> byRegion = new LinkedHashMap<>();
        taken.forEach(fix -> byRegion.computeIfAbsent(
                        journeys.heldIn(fix.id()).orElseGet(() -> now.placeOf(fix.cell())), region -> new ArrayList<>())
                .add(fix));
        return byRegion;
    }

    private void tell(CellFix fix, Placed placed) {
        if (placed.reply() instanceof FixReply.Accepted accepted) {
            behind.add(Behind.fix(placed.region(), fix, accepted));
            if (accepted.changed()) {
                changes.accept(new DriverChange(fix.id(), accepted.status(), placed.region()));
            }
        }
    }
}
