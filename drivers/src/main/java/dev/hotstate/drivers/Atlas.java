package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which regions there are, as this instance knows them; immutable. */
final class Atlas {
    private static final Logger log = LoggerFactory.getLogger(Atlas.class);
    static final Partition DEFAULT = new Partition(Region.DEFAULT);
    static final Atlas OF_ONE = new Atlas(-1, List.of());

    private final long version;
    private final List<Charted> regions;
    private final List<Charted> bySize;
    private final List<Partition> partitions;

    /** @param deleted no fix is placed there any more, but drivers may be in it still */
    record Charted(Region region, Outline outline, boolean deleted) {
        Partition partition() {
            return new Partition(region.id());
        }
    }

    Atlas(long version, List<Charted> regions) {
        this.version = version;
        this.regions = List.copyOf(regions);
        this.bySize = regions.stream()
                .filter(charted -> !charted.deleted())
                .sorted(Comparator.comparingDouble(
                                (Charted charted) -> charted.outline().area())
                        .thenComparing(charted -> charted.region().id()))
                .toList();
        this.partitions = Stream.concat(Stream.of(DEFAULT), regions.stream().map(Charted::partition))
                .toList();
    }

    /** The smallest region whose shape holds it; ties by id. */
    Partition placeOf(long cell) {
        double lat = Cell.lat(cell);
        double lon = Cell.lon(cell);
        for (Charted charted : bySize) {
            if (charted.outline().contains(lat, lon)) {
                return charted.partition();
            }
        }
        return DEFAULT;
    }

    /** Then nobody moves, and whoever is unknown in it is new. */
    boolean hasOnlyDefault() {
        return regions.isEmpty();
    }

    /** Wherever drivers may be, the default one first. */
    List<Partition> partitions() {
        return partitions;
    }

    /**
     * Does it for each of them. One whose node is away, or that is being rebuilt, does not keep it from the others.
     *
     * @param what becomes of one, for the log
     */
    void eachPartition(String what, Consumer<Partition> step) {
        for (Partition partition : partitions) {
            try {
                step.accept(partition);
            } catch (HotstateException notNow) {
                log.debug("{} is not {} now: {}", partition, what, notNow.getMessage());
            }
        }
    }

    boolean knows(String id) {
        return id.equals(Region.DEFAULT) || find(id).isPresent();
    }

    List<Charted> regions() {
        return regions;
    }

    Optional<Charted> find(String id) {
        return regions.stream()
                .filter(charted -> charted.region().id().equals(id))
                .findFirst();
    }

    long version() {
        return version;
    }
}
