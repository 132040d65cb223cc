package dev.hotstate.drivers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Partition;
import dev.hotstate.drivers.RedisSweeps.Silent;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.lettuce.core.ScoredValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random fixes, decisions, takings, sweeps and moves over two regions: late, twice, out of order, with a clock that jumps.
 * Every answer, and time and again everything that Redis holds, must be what {@link RegionOracle} says, and nobody is in
 * two regions.
 */
@ExtendWith(Testkit.class)
class RegionModelIT {
    private static final int ROUNDS = 10;
    private static final int STEPS = 120;
    private static final int LOOK_EVERY = 4;
    private static final List<String> TAGS = List.of("van", "xl");
    private static final Duration WEEK = Duration.ofDays(7);

    private final RedisServer redis;

    RegionModelIT(RedisServer redis) {
        this.redis = redis;
    }

    @Test
    void aRegionAnswersAndIsWhatTheRulesSay() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            try (RegionBench bench = new RegionBench(redis)) {
                new Round(bench, seed).run();
            }
        }
    }

    /** A driver on its way, as Redis and as the oracle have it. */
    private record Journey(String id, Leaving leaving, RegionOracle.Stone stone) {}

    private static final class Round {
        private final RegionBench bench;
        private final Random random;
        private final String seed;
        private final Map<String, RegionOracle> oracles = new HashMap<>();
        private final Map<String, Long> versions = new HashMap<>();
        private final List<Journey> journeys = new ArrayList<>();
        private final List<String> fences = new ArrayList<>();
        private int reservations;

        Round(RegionBench bench, int seed) {
            this.bench = bench;
            this.random = new Random(seed);
            this.seed = "seed " + seed;
            oracles.put(bench.region.tag(), new RegionOracle());
            oracles.put(bench.other.tag(), new RegionOracle());
            fences.add("1-1");
        }

        void run() {
            for (int step = 1; step <= STEPS; step++) {
                Partition region = random.nextInt(3) == 0 ? bench.other : bench.region;
                step(region, oracles.get(region.tag()));
                if (step % LOOK_EVERY == 0) {
                    look(step);
                }
            }
        }

        private void look(int step) {
            Map<String, Map<String, String>> here = dump(bench.region);
            Map<String, Map<String, String>> there = dump(bench.other);
            assertThat(here).as("%s step %d", seed, step).isEqualTo(expected(bench.region));
            assertThat(there).as("%s step %d", seed, step).isEqualTo(expected(bench.other));
            assertThat(here.get("fix").keySet())
                    .as("%s step %d: nobody is in two regions", seed, step)
                    .noneMatch(there.get("fix")::containsKey);
        }

        private Map<String, Map<String, String>> expected(Partition region) {
            return oracles.get(region.tag()).dump(TAGS);
        }

        private void step(Partition region, RegionOracle oracle) {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> update(region, oracle);
                case 3, 4 -> settle(region, oracle);
                case 5 -> sweep(region, oracle);
                case 6 -> take(region, oracle);
                case 7 -> release(region, oracle);
                case 8 -> leave(region, oracle);
                case 9 -> enter();
                case 10 -> forget(region, oracle);
                default -> bench.clock.advance(jump());
            }
        }

        private void update(Partition region, RegionOracle oracle) {
            List<CellFix> fixes = new ArrayList<>();
            for (String id : some()) {
                // A driver enters by itself where it is known to be in no other region, as with one region alone.
                if (!isElsewhere(region, id)) {
                    fixes.add(fix(id));
                }
            }
            if (fixes.isEmpty()) {
                return;
            }
            List<FixReply> expected =
                    fixes.stream().map(fix -> oracle.update(fix, true, now())).toList();
            assertThat(bench.fixes.update(region, fixes, true)).as(seed).isEqualTo(expected);
        }

        private void settle(Partition region, RegionOracle oracle) {
            List<Truth> truths = new ArrayList<>();
            for (String id : some()) {
                // PostgreSQL may know where it goes before it is there.
                Journey last = lastOf(id);
                if (!isElsewhere(region, id)) {
                    truths.add(truth(id, 1));
                } else if (last != null && last.stone().region().equals(region.tag()) && isNowhere(id)) {
                    truths.add(truth(id, last.stone().epoch()));
                }
            }
            if (truths.isEmpty()) {
                return;
            }
            List<Settled> expected =
                    truths.stream().map(truth -> oracle.settle(truth, now())).toList();
            assertThat(bench.truth.settle(region, truths)).as(seed).isEqualTo(expected);
        }

        private void sweep(Partition region, RegionOracle oracle) {
            int max = 1 + random.nextInt(6);
            assertThat(bench.sweeps.sweep(region, max).silent())
                    .as(seed)
                    .extracting(Silent::id)
                    .isEqualTo(oracle.sweep(now(), max));
        }

        private void take(Partition region, RegionOracle oracle) {
            int count = 1 + random.nextInt(3);
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ids.add("r" + reservations++);
            }
            String tag = random.nextInt(4) == 0 ? TAGS.getFirst() : null;
            Wish wish = new Wish(12.97, 77.59, 100_000, count, tag, Duration.ofSeconds(20), "model");
            for (RedisTakes.Taken taken : new RedisTakes(bench.redis, bench.passes).take(region, wish, count, ids)) {
                String id = taken.driver().id();
                assertThat(oracle.isEligible(id, now()))
                        .as("%s: %s was free", seed, id)
                        .isTrue();
                oracle.take(id, taken.held());
                fences.add(taken.held().fence());
            }
        }

        private void release(Partition region, RegionOracle oracle) {
            String id = id();
            String fence = fences.get(Math.max(0, fences.size() - 1 - random.nextInt(3)));
            assertThat(new RedisTakes(bench.redis, bench.passes).release(region, id, fence))
                    .as(seed)
                    .isEqualTo(oracle.release(id, fence, now()));
        }

        private void leave(Partition region, RegionOracle oracle) {
            Partition to = region.equals(bench.region) ? bench.other : bench.region;
            CellFix fix = fix(id());
            Object expected = oracle.leave(fix, to.tag(), now());
            Parting parting = bench.fixes.leave(region, fix, to.tag());
            if (expected instanceof RegionOracle.Stone stone) {
                Leaving leaving = ((Parting.Left) parting).leaving();
                assertThat(leaving.region() + leaving.epoch()).as(seed).isEqualTo(stone.region() + stone.epoch());
                journeys.add(new Journey(fix.id(), leaving, stone));
            } else {
                assertThat(parting).as(seed).isEqualTo(new Parting.Stays((FixReply) expected));
            }
        }

        /** The last journey, or an earlier one once more. */
        private void enter() {
            if (journeys.isEmpty()) {
                return;
            }
            Journey journey = journeys.get(Math.max(0, journeys.size() - 1 - random.nextInt(3)));
            Partition into = new Partition(journey.stone().region());
            CellFix fix = random.nextInt(4) == 0 ? null : fix(journey.id());
            Object expected = oracles.get(into.tag()).enter(journey.id(), journey.stone(), fix, now());
            Arrival arrival = bench.fixes.enter(into, bench.pass(), journey.id(), journey.leaving(), fix);
            switch (arrival) {
                case Arrival.Entered entered ->
                    assertThat(entered.reply()).as(seed).isEqualTo(expected);
                case Arrival.Here here -> assertThat(here.epoch()).as(seed).isEqualTo(expected);
                case Arrival.LeftAgain left ->
                    assertThat(left.leaving().epoch()).as(seed).isEqualTo(((RegionOracle.Stone) expected).epoch());
                case Arrival.Refused refused -> throw new AssertionError(seed + ": a journey is never new");
            }
        }

        private void forget(Partition region, RegionOracle oracle) {
            List<String> ids = some();
            assertThat(bench.sweeps.forget(region, WEEK, ids)).as(seed).isEqualTo(oracle.forget(WEEK, ids, now()));
        }

        private boolean isElsewhere(Partition region, String id) {
            return oracles.entrySet().stream()
                            .anyMatch(other -> !other.getKey().equals(region.tag())
                                    && other.getValue().drivers.containsKey(id))
                    || journeys.stream().anyMatch(journey -> journey.id().equals(id))
                            && !oracles.get(region.tag()).drivers.containsKey(id);
        }

        private boolean isNowhere(String id) {
            return oracles.values().stream().noneMatch(oracle -> oracle.drivers.containsKey(id));
        }

        private @Nullable Journey lastOf(String id) {
            return journeys.stream()
                    .filter(journey -> journey.id().equals(id))
                    .reduce((earlier, later) -> later)
                    .orElse(null);
        }

        private Duration jump() {
            return switch (random.nextInt(10)) {
                case 0 -> WEEK;
                case 1, 2 -> RegionBench.HEARTBEAT;
                default -> Duration.ofMillis(random.nextInt(30_000));
            };
        }

        private CellFix fix(String id) {
            Long seq = random.nextInt(3) == 0 ? (Long) (long) random.nextInt(40) : null;
            Instant at = random.nextBoolean() ? now().plusMillis(random.nextInt(90_000) - 25_000) : null;
            long cell = Cell.of(12.97 + random.nextDouble() / 10, 77.59 + random.nextDouble() / 10);
            return new CellFix(id, cell, seq, at, null, null);
        }

        /** Mostly the next version, sometimes the last one again. */
        private Truth truth(String id, long epoch) {
            long version = versions.merge(id, random.nextInt(4) == 0 ? 0L : 1L, Long::sum);
            Status status = Status.values()[random.nextInt(3)];
            boolean free = status != Status.BUSY;
            boolean held = free && random.nextInt(3) == 0;
            boolean chosen = status == Status.OFFLINE && !held && random.nextBoolean();
            boolean alive = status == Status.AVAILABLE && random.nextInt(3) == 0;
            Profile profile = new Profile(
                    null,
                    null,
                    random.nextBoolean() ? (Double) 4.5 : null,
                    TAGS.subList(random.nextInt(2), 1 + random.nextInt(2)));
            return new Truth(
                    id,
                    epoch,
                    version,
                    status,
                    chosen,
                    alive,
                    now().minusSeconds(random.nextInt(100)),
                    held ? new Held("t" + version, "1-" + version, now().plusSeconds(20)) : null,
                    profile);
        }

        private List<String> some() {
            List<String> some = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                if (random.nextInt(3) == 0) {
                    some.add("d" + i);
                }
            }
            return some.isEmpty() ? List.of(id()) : some;
        }

        private String id() {
            return "d" + random.nextInt(8);
        }

        private Instant now() {
            return bench.clock.instant();
        }

        private Map<String, Map<String, String>> dump(Partition region) {
            Map<String, Map<String, String>> dump = new TreeMap<>();
            List.of("status", "profile", "reserved").forEach(name -> dump.put(name, hash(region, name)));
            List.of("geo", "online", "leases").forEach(name -> dump.put(name, scores(region, name)));
            TAGS.forEach(tag -> dump.put("tagged:" + tag, scores(region, "tagged:" + tag)));
            Map<String, String> lines = hash(region, "fix");
            lines.replaceAll((id, line) -> DriverLine.parse(line).toString() + line.charAt(1));
            dump.put("fix", lines);
            Map<String, String> moved = hash(region, "moved");
            assertThat(scores(region, "moves").keySet()).as(seed).isEqualTo(moved.keySet());
            moved.replaceAll((id, stone) -> stone.substring(0, stone.indexOf(' ', stone.indexOf(' ') + 1)));
            dump.put("moved", moved);
            Map<String, String> counts = hash(region, "counts");
            List.of("available", "busy", "offline", "reserved", "updates")
                    .forEach(name -> counts.putIfAbsent(name, "0"));
            dump.put("counts", counts);
            return dump;
        }

        private Map<String, String> hash(Partition region, String name) {
            return new TreeMap<>(bench.target.commands().hgetall(RegionBench.key(region, name)));
        }

        private Map<String, String> scores(Partition region, String name) {
            Map<String, String> scores = new TreeMap<>();
            for (ScoredValue<String> entry :
                    bench.target.commands().zrangeWithScores(RegionBench.key(region, name), 0, -1)) {
                scores.put(entry.getValue(), Long.toString((long) entry.getScore()));
            }
            return scores;
        }
    }
}
