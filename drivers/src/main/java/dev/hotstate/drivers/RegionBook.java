package dev.hotstate.drivers;

import dev.hotstate.core.Flaws;
import dev.hotstate.core.Follower;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Rebuild;
import dev.hotstate.core.RebuildingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions, followed in PostgreSQL: each instance knows of a change within a second, the one that makes it at once. Each
 * region is a feature of its own to {@link Incarnations}, so that it is lost and rebuilt by itself.
 */
final class RegionBook implements Regions, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RegionBook.class);

    /** Beside the default one. */
    private static final int MOST = 63;

    private static final int LEAST_ID = 2;

    /** Other features' partitions are called by one letter and a number, perhaps with letters after it. */
    private static final Pattern PARTITION_LIKE = Pattern.compile("[a-z]\\d+[a-z]*");

    private static final Set<String> WORDS = Set.of("map", "summary", "available", "locations", "regions", "drivers");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final PostgresRegions stored;
    private final Incarnations incarnations;
    private final Rebuild rebuild;
    private final Follower follower;
    private final Set<Partition> watched = new HashSet<>();
    private volatile Atlas atlas = Atlas.OF_ONE;
    private volatile boolean begun;

    RegionBook(PostgresRegions stored, Incarnations incarnations, Rebuild rebuild) {
        this.stored = stored;
        this.incarnations = incarnations;
        this.rebuild = rebuild;
        this.follower = new Follower("regions", this::follow);
    }

    /** Knows all regions when it returns, though not all may be ready. */
    void start() {
        watch(Atlas.DEFAULT);
        follow();
        begun = true;
        follower.start();
    }

    Atlas atlas() {
        return atlas;
    }

    @Override
    public List<Region> list() {
        return Stream.concat(
                        Stream.of(new Region(Region.DEFAULT, List.of())),
                        atlas.regions().stream()
                                .filter(charted -> !charted.deleted())
                                .map(Atlas.Charted::region))
                .sorted(Comparator.comparing(Region::id))
                .toList();
    }

    @Override
    public Optional<Region> find(String id) {
        return list().stream().filter(region -> region.id().equals(id)).findFirst();
    }

    @Override
    public Region put(Region region) {
        Flaws flaws = new Flaws();
        checkId(flaws, region.id());
        flaws.value("shape", () -> Outline.of(region.shape()));
        flaws.refuse();
        stored.put(region, MOST);
        follow();
        return region;
    }

    @Override
    public boolean delete(String id) {
        if (id.equals(Region.DEFAULT)) {
            return false;
        }
        boolean deleted = stored.delete(id);
        follow();
        return deleted;
    }

    /**
     * Deleted ones in which nobody is go for good; to be called now and then, by any instance.
     *
     * @param clear removes what Redis has of one; false where it could not
     */
    void dropEmpty(Predicate<Partition> clear) {
        for (Atlas.Charted charted : atlas.regions()) {
            String id = charted.region().id();
            if (charted.deleted() && stored.isEmpty(id) && clear.test(charted.partition()) && stored.drop(id)) {
                log.info("the region {} is gone: no driver is in it any more", id);
                follow();
            }
        }
    }

    @Override
    public void close() {
        follower.close();
    }

    private static void checkId(Flaws flaws, String id) {
        flaws.id("id", id);
        flaws.that(
                id.length() >= LEAST_ID && id.length() <= DriverKeys.MAX_REGION,
                "id",
                "must be " + LEAST_ID + " to " + DriverKeys.MAX_REGION + " characters, not " + id.length());
        flaws.that(
                !id.equals(Region.DEFAULT), "id", "must not be default: that region holds whatever no other one does");
        flaws.that(!WORDS.contains(id), "id", "must not be a word of the API, as \"" + id + "\" is");
        flaws.that(
                !PARTITION_LIKE.matcher(id).matches(),
                "id",
                "must not be a letter and a number, as other partitions are called: \"" + id + "\"");
    }

    /** Looks at once, where somebody has met a region that is not known here. */
    void refresh() {
        follow();
    }

    private synchronized void follow() {
        stored.changedSince(atlas.version()).ifPresent(all -> {
            List<Atlas.Charted> charted = new ArrayList<>();
            for (PostgresRegions.Stored one : all.regions()) {
                charted.add(
                        new Atlas.Charted(one.region(), Outline.of(one.region().shape()), one.deleted()));
            }
            Atlas next = new Atlas(all.version(), charted);
            List<Partition> fresh = next.partitions().stream()
                    .filter(partition -> !watched.contains(partition))
                    .toList();
            next.partitions().forEach(this::watch);
            if (begun) {
                // Whoever goes there finds it ready; until then its drivers stay where they are.
                fresh.forEach(this::awaitReady);
            }
            atlas = next;
        });
    }

    /** One that was dropped stays watched here: it may be put again. */
    private synchronized void watch(Partition partition) {
        if (!watched.contains(partition)) {
            incarnations.watch("drivers-" + partition.tag(), List.of(partition), rebuild);
            watched.add(partition);
        }
    }

    /** A region takes part of a second to become ready, if its node is there. */
    private void awaitReady(Partition partition) {
        long patience = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < patience) {
            try {
                incarnations.of(partition);
                return;
            } catch (RebuildingException notYet) {
                try {
                    Thread.sleep(PAUSE);
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }
}
