package dev.hotstate.bench;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Service;
import dev.hotstate.limits.LimitKeys;
import dev.hotstate.traffic.TrafficKeys;
import java.util.List;
import java.util.Set;

/** The keys that benchmarks work on, in Redis servers that live no longer than a run. */
final class BenchKeys {
    /** Ids that visits are counted for. */
    static final int VISITORS = 1_000;

    static final KeyFamily VISITS = KeyFamily.hash("{<partition>}:bench:visits")
            .id("partition", 16)
            .owner("bench")
            .field("<id>", "how often it came")
            .bounded(VISITORS)
            .typically(VISITORS, 8)
            .example("{b0}:bench:visits")
            .why("what the script benchmark writes")
            .declared();

    static final KeyFamily SEEN = KeyFamily.zset("{<partition>}:bench:seen")
            .id("partition", 16)
            .owner("bench")
            .field("<id>", "when it last came (ms)")
            .bounded(VISITORS)
            .typically(VISITORS, 12)
            .example("{b0}:bench:seen")
            .why("what the script benchmark writes")
            .declared();

    static final KeyFamily SCHEDULE = KeyFamily.zset("{<partition>}:bench:schedule")
            .id("partition", 16)
            .owner("bench")
            .field("<id>", "when it is due, or the end of its lease (ms)")
            .kept("a benchmark's agenda keeps its size")
            .typically(1_000_000, 16)
            .example("{b0}:bench:schedule")
            .why("the agenda that is measured")
            .declared();

    static final KeyFamily FENCES = KeyFamily.hash("{<partition>}:bench:fences")
            .id("partition", 16)
            .owner("bench")
            .field("<id>", "the fence of the claim that holds it")
            .kept("a field leaves when its claim ends")
            .typically(100, 32)
            .example("{b0}:bench:fences")
            .why("the agenda that is measured")
            .declared();

    static final KeyFamily POPPED = KeyFamily.zset("{<partition>}:bench:popped")
            .id("partition", 16)
            .owner("bench")
            .field("<id>", "when it is due (ms)")
            .kept("a benchmark's schedule keeps its size")
            .typically(1_000_000, 16)
            .example("{b0}:bench:popped")
            .why("the schedule without leases that the agenda is compared with")
            .declared();

    static final Keyspace KEYSPACE = Keyspace.of(
            "bench:hotstate",
            CoreKeys.SERVICE,
            LimitKeys.SERVICE,
            TrafficKeys.SERVICE,
            new Service(
                    "bench",
                    List.of(VISITS, SEEN, SCHEDULE, FENCES, POPPED),
                    List.of(ScriptBenchmark.VISIT),
                    Set.of()));

    private BenchKeys() {}
}
