package dev.hotstate.bench;

import static java.util.Objects.requireNonNull;

import dev.hotstate.core.Agenda;
import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.Due;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Redis;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Agendas as a feature has them: partitions that are ready, scripts that show their pass. */
final class LeasedSchedule {
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final Agenda agenda;
    private final SplittableRandom random = new SplittableRandom(AgendaBenchmark.SEED);

    private LeasedSchedule(Agenda agenda) {
        this.agenda = agenda;
    }

    static LeasedSchedule open(Redis redis, List<Partition> partitions) {
        Map<Partition, Pass> passes = ReadyPartitions.open(redis, partitions);
        return new LeasedSchedule(new Agenda(
                redis, partition -> requireNonNull(passes.get(partition)), BenchKeys.SCHEDULE, BenchKeys.FENCES));
    }

    /** Entries that are all due, one a millisecond or so, of long ago. */
    void fill(Partition partition, int entries) {
        Map<String, Due> batch = new HashMap<>();
        for (int i = 0; i < entries; i++) {
            batch.put("entry-" + i, Due.at(Instant.ofEpochMilli(random.nextInt(entries))));
            if (batch.size() == Agenda.MAX_BATCH || i == entries - 1) {
                agenda.put(partition, batch);
                batch.clear();
            }
        }
    }

    /** Takes the first hundred and puts each back later, anywhere among the others. */
    void cycle(Partition partition, int entries) {
        List<Claim> claims =
                agenda.claim(partition, AgendaBenchmark.BATCH, LEASE).claims();
        Map<Claim, Due> again = new HashMap<>();
        for (Claim claim : claims) {
            again.put(claim, Due.at(claim.due().plusMillis(1 + random.nextInt(entries))));
        }
        List<Claim> stale = agenda.reschedule(again);
        if (claims.size() != AgendaBenchmark.BATCH || !stale.isEmpty()) {
            throw new IllegalStateException("claimed " + claims.size() + ", of which " + stale.size() + " were stale");
        }
    }
}
