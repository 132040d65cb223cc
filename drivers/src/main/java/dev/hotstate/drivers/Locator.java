package dev.hotstate.drivers;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.core.Partition;
import dev.hotstate.drivers.LocatedAll.Refused;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;

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
        Placed placed = take(List.of(CellFix.of(fix))).getFirst();
        return switch (placed.reply()) {
            case FixReply.Accepted accepted -> new Located(accepted.status(), placed.region(), true);
            case FixReply.Ignored ignored -> new Located(ignored.status(), placed.region(), false);
            default -> throw new InvalidDocumentException(List.of(FUTURE));
        };
    }

    LocatedAll locateAll(List<Fix> all) {
        new Flaws()
                .that(all.size() <= MOST, "items", "must be at most " + MOST + ", not " + all.size())
                .refuse();
        List<Refused> refused = new ArrayList<>();
        Map<String, Integer> newest = newestOfEach(all);
        List<Integer> places = List.copyOf(newest.values());
        List<Placed> placed =
                take(places.stream().map(i -> CellFix.of(all.get(i))).toList());
        int accepted = 0;
        for (int i = 0; i < placed.size(); i++) {
            switch (placed.get(i).reply()) {
                case FixReply.Accepted taken -> accepted++;
                case FixReply.Future ahead -> refused.add(new Refused(places.get(i), FUTURE));
                default -> {}
            }
        }
        return new LocatedAll(accepted, all.size() - accepted - refused.size(), refused);
    }

    /** By driver, which of its fixes is the newest. */
    private static Map<String, Integer> newestOfEach(List<Fix> all) {
        Map<String, Integer> newest = new LinkedHashMap<>();
        for (int i = 0; i < all.size(); i++) {
            newest.merge(all.get(i).id(), i, (one, other) -> isNewer(all.get(other), all.get(one)) ? other : one);
        }
        return newest;
    }

    private static boolean isNewer(Fix fix, Fix than) {
        return FixOrder.isNewer(fix.seq(), fix.at(), than.seq(), than.at());
    }

    /** Of drivers that differ; what came of each, in their order: accepted, ignored or of the future. */
    private List<Placed> take(List<CellFix> taken) {
        Atlas now = atlas.get();
        List<Callable<Map<CellFix, Placed>>> calls = new ArrayList<>();
        byRegion(taken, now)
                .forEach((region, some) -> Chunks.of(some, RedisRegion.MAX_BATCH)
                        .forEach(chunk -> calls.add(() -> update(region, chunk, now.hasOnlyDefault()))));
        Map<CellFix, Placed> placed = new HashMap<>();
        Chunks.together(calls).forEach(placed::putAll);
        List<CellFix> unknown = taken.stream()
                .filter(fix -> Objects.requireNonNull(placed.get(fix)).isElsewhere())
                .toList();
        if (!unknown.isEmpty()) {
            journeys.take(unknown).forEach((fix, found) -> {
                placed.put(fix, found);
                tell(fix, found);
            });
        }
        return taken.stream()
                .map(fix -> Objects.requireNonNull(placed.get(fix)))
                .toList();
    }

    /** What was taken is told at once: another region's failure is not to keep it from PostgreSQL. */
    private Map<CellFix, Placed> update(Partition region, List<CellFix> chunk, boolean enter) {
        List<FixReply> replies = fixes.update(region, chunk, enter);
        Map<CellFix, Placed> all = HashMap.newHashMap(chunk.size());
        for (int i = 0; i < chunk.size(); i++) {
            Placed placed = new Placed(replies.get(i), region.tag());
            all.put(chunk.get(i), placed);
            tell(chunk.get(i), placed);
            journeys.seen(chunk.get(i), placed);
        }
        return all;
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
