package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.jobs.RedisAdvance.Advance;
import dev.hotstate.jobs.RedisAdvance.Asked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Takes tasks from one partition after the other, and permits for those of queues that have a limit. */
final class Claims {
    /** Looks a call at most, where those tasks that were looked at belong to jobs that are paused or gone. */
    private static final int LOOKS = 20;

    private final RedisAdvance advance;
    private final Permits permits;
    private final FreedPermits freed;
    private final long archiveLimit;
    private final Set<Partition> rich = ConcurrentHashMap.newKeySet();
    private final AtomicInteger turn = new AtomicInteger();

    Claims(RedisAdvance advance, Permits permits, FreedPermits freed, long archiveLimit) {
        this.advance = advance;
        this.permits = permits;
        this.freed = freed;
        this.archiveLimit = archiveLimit;
    }

    /**
     * @param again whether it is worth looking again soon: a partition is rebuilt or away, or its archive too long
     * @param away the partitions that could not be asked; none of them where any other answered
     * @param failed why one could not be asked
     */
    record Found(
            List<Claimed> claimed,
            boolean again,
            Set<Partition> away,
            @Nullable HotstateException failed) {
        static final Found NOTHING = new Found(List.of(), false, Set.of(), null);
    }

    /** Up to so many tasks of these partitions. One that cannot be asked does not keep the others from being asked. */
    Found take(Wanted wanted, int max, Collection<Partition> where, boolean waits) {
        return take(wanted, max, where, waits, new Recall());
    }

    /** The same; once it is called back, no further partition is asked. */
    Found take(Wanted wanted, int max, Collection<Partition> where, boolean waits, Recall recall) {
        Round round = new Round(wanted, max, where, waits, recall);
        Map<String, List<Lane>> limited = byLimitedQueue(wanted);
        // In turn, or whichever comes second would get nothing while the other has more than enough.
        boolean limitedFirst = !limited.isEmpty() && turn.getAndIncrement() % 2 == 0;
        if (limitedFirst) {
            takeLimited(round, limited);
        }
        List<Lane> unlimited = unlimited(wanted);
        if (!unlimited.isEmpty() && round.room() > 0) {
            round.take(unlimited, round.room(), List.of());
        }
        if (!limitedFirst) {
            takeLimited(round, limited);
        }
        return new Found(round.claimed, round.again, round.answered ? Set.of() : round.away, round.failed);
    }

    /** What may be asked for without permits. */
    Asked unlimited(Wanted wanted, int max) {
        List<Lane> lanes = unlimited(wanted);
        return lanes.isEmpty() || max == 0 ? Asked.NOTHING : asked(wanted, lanes, max, false, List.of());
    }

    /** Whether some of the wanted tasks need permits. */
    boolean needsPermits(Wanted wanted) {
        Set<String> limited = permits.limited();
        return wanted.lanes().stream().anyMatch(lane -> limited.contains(lane.queue()));
    }

    /** Where the last one who asked got all that was wanted: there is probably more. */
    List<Partition> probablyMore(Collection<Partition> but) {
        return rich.stream().filter(partition -> !but.contains(partition)).toList();
    }

    void learn(Partition partition, Asked asked, Advance answer) {
        if (asked.max() == 0) {
            return;
        }
        if (answer.claimed().size() == asked.max()) {
            rich.add(partition);
        } else {
            rich.remove(partition);
        }
    }

    private void takeLimited(Round round, Map<String, List<Lane>> byQueue) {
        byQueue.forEach((queue, lanes) -> takeLimited(round, queue, lanes));
    }

    private void takeLimited(Round round, String queue, List<Lane> lanes) {
        int room = round.room();
        if (room == 0) {
            return;
        }
        List<String> held = permits(round, queue, room);
        if (held.isEmpty()) {
            return;
        }
        int used = 0;
        try {
            used = round.take(lanes, held.size(), held);
        } finally {
            if (used < held.size()) {
                permits.give(queue, held.subList(used, held.size()));
            }
        }
    }

    /** None also where they cannot be asked for: then nothing of this queue can be. */
    private List<String> permits(Round round, String queue, int room) {
        try {
            return permits.take(queue, room, round.wanted.lease());
        } catch (HotstateException notNow) {
            round.isAway(round.where, notNow);
            return List.of();
        }
    }

    /** One look at some partitions, each in its turn. */
    private final class Round {
        private final Wanted wanted;
        private final int max;
        private final Collection<Partition> where;
        private final boolean waits;
        private final Recall recall;
        private final List<Claimed> claimed = new ArrayList<>();
        private final Set<Partition> away = new HashSet<>();
        private boolean again;
        private boolean answered;
        private @Nullable HotstateException failed;

        Round(Wanted wanted, int max, Collection<Partition> where, boolean waits, Recall recall) {
            this.wanted = wanted;
            this.max = max;
            this.where = where;
            this.waits = waits;
            this.recall = recall;
        }

        int room() {
            return max - claimed.size();
        }

        /** How many were taken, up to {@code most}; the n-th of them has the n-th permit, where there are any. */
        int take(List<Lane> lanes, int most, List<String> held) {
            int before = claimed.size();
            for (Partition partition : where) {
                if (recall.isOver()) {
                    break;
                }
                Advance answer = null;
                int left = most - (claimed.size() - before);
                for (int looks = 0; left > 0 && looks < LOOKS && (answer == null || answer.more()); looks++) {
                    List<String> free = held.isEmpty() ? held : held.subList(most - left, held.size());
                    answer = ask(partition, asked(wanted, lanes, left, waits, free));
                    if (answer == null) {
                        break;
                    }
                    claimed.addAll(answer.claimed());
                    again |= answer.congested();
                    left = most - (claimed.size() - before);
                }
                again |= answer != null && answer.more() && left > 0;
            }
            return claimed.size() - before;
        }

        private @Nullable Advance ask(Partition partition, Asked asked) {
            try {
                Advance answer = advance.run(partition, List.of(), asked);
                learn(partition, asked, answer);
                answered = true;
                freed.give(answer.freed());
                return answer;
            } catch (HotstateException notNow) {
                isAway(List.of(partition), notNow);
                return null;
            }
        }

        void isAway(Collection<Partition> silent, HotstateException why) {
            again = true;
            away.addAll(silent);
            failed = why;
        }
    }

    private Asked asked(Wanted wanted, List<Lane> lanes, int max, boolean waits, List<String> held) {
        return new Asked(wanted.worker(), lanes, max, wanted.lease(), waits, archiveLimit, held);
    }

    private List<Lane> unlimited(Wanted wanted) {
        Set<String> limited = permits.limited();
        return limited.isEmpty()
                ? wanted.lanes()
                : wanted.lanes().stream()
                        .filter(lane -> !limited.contains(lane.queue()))
                        .toList();
    }

    private Map<String, List<Lane>> byLimitedQueue(Wanted wanted) {
        Set<String> limited = permits.limited();
        Map<String, List<Lane>> lanes = new LinkedHashMap<>();
        for (Lane lane : wanted.lanes()) {
            if (limited.contains(lane.queue())) {
                lanes.computeIfAbsent(lane.queue(), any -> new ArrayList<>()).add(lane);
            }
        }
        return lanes;
    }

    /** Those of tasks that have ended. */
    void give(List<String> named) {
        freed.give(named);
    }

    void keep(List<String> held, Duration lease) {
        FreedPermits.byQueue(held).forEach((queue, mine) -> permits.keep(queue, mine, lease));
    }
}
