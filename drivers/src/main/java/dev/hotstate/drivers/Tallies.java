package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.RebuildingException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** How many drivers are what, from Redis; from PostgreSQL while Redis cannot answer. */
final class Tallies {
    /** A rate is of the last seconds. */
    private static final int SAMPLES = 6;

    private final RedisLook look;
    private final PostgresMap stored;
    private final Supplier<Atlas> atlas;
    private final Map<Partition, Deque<Sample>> samples = new HashMap<>();

    Tallies(RedisLook look, PostgresMap stored, Supplier<Atlas> atlas) {
        this.look = look;
        this.stored = stored;
        this.atlas = atlas;
    }

    private record Sample(long updates, long at) {}

    Summary summary() {
        List<Summary.OfRegion> regions;
        try {
            regions = fromRedis();
        } catch (HotstateException away) {
            regions = stored.counts();
        }
        return new Summary(
                sum(regions),
                regions.stream().mapToDouble(Summary.OfRegion::updatesPerSecond).sum(),
                regions);
    }

    /** To be called every second: rates are told from one to the next. */
    void sample() {
        List<Partition> regions = atlas.get().partitions();
        List<RedisLook.Tally> tallies;
        try {
            tallies = look.counts(regions);
        } catch (RebuildingException notNow) {
            return;
        }
        long now = System.nanoTime();
        synchronized (samples) {
            samples.keySet().retainAll(regions);
            for (int i = 0; i < regions.size(); i++) {
                Deque<Sample> known = samples.computeIfAbsent(regions.get(i), region -> new ArrayDeque<>());
                Sample sample = new Sample(tallies.get(i).updates(), now);
                if (!known.isEmpty() && known.getLast().updates() > sample.updates()) {
                    known.clear();
                }
                known.add(sample);
                if (known.size() > SAMPLES) {
                    known.remove();
                }
            }
        }
    }

    private List<Summary.OfRegion> fromRedis() {
        List<Partition> regions = atlas.get().partitions();
        List<RedisLook.Tally> tallies = look.counts(regions);
        List<Summary.OfRegion> all = new ArrayList<>();
        for (int i = 0; i < regions.size(); i++) {
            all.add(new Summary.OfRegion(regions.get(i).tag(), tallies.get(i).counts(), rate(regions.get(i))));
        }
        return all;
    }

    private double rate(Partition region) {
        synchronized (samples) {
            Deque<Sample> known = samples.get(region);
            if (known == null || known.size() < 2) {
                return 0;
            }
            double seconds = (double) (known.getLast().at() - known.getFirst().at()) / TimeUnit.SECONDS.toNanos(1);
            return (known.getLast().updates() - known.getFirst().updates()) / seconds;
        }
    }

    private static Summary.Counts sum(List<Summary.OfRegion> regions) {
        long available = 0;
        long busy = 0;
        long offline = 0;
        long reserved = 0;
        for (Summary.OfRegion region : regions) {
            available += region.counts().available();
            busy += region.counts().busy();
            offline += region.counts().offline();
            reserved += region.counts().reserved();
        }
        return new Summary.Counts(available, busy, offline, reserved);
    }
}
