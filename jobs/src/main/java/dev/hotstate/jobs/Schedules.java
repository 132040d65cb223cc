package dev.hotstate.jobs;

import dev.hotstate.jobs.Schedule.CatchUp;
import dev.hotstate.jobs.Schedule.Overlap;
import dev.hotstate.jobs.graph.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that come again. A schedule's job and its next time are written in one transaction, and the job is called after the
 * schedule and the time: so each time makes one job, however many instances there are and whenever one dies.
 */
public final class Schedules {
    private static final Logger log = LoggerFactory.getLogger(Schedules.class);

    /** Times that are made up for, at most. */
    public static final int MOST_MISSED = 100;

    /** A time that is not older than this was not missed: the instances look every second, and may be a little busy. */
    static final Duration ON_TIME = Duration.ofSeconds(30);

    private static final List<Duration> SPANS =
            List.of(Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(31), Duration.ofDays(4_000));

    private final PostgresSchedules stored;
    private final Consumer<StoredJob> publish;
    private final Consumer<String> cancel;
    private final InstantSource clock;

    Schedules(PostgresSchedules stored, Consumer<StoredJob> publish, Consumer<String> cancel, InstantSource clock) {
        this.stored = stored;
        this.publish = publish;
        this.cancel = cancel;
        this.clock = clock;
    }

    /** By id. */
    public List<ScheduleView> list() {
        return stored.list();
    }

    public Optional<ScheduleView> get(String id) {
        return stored.find(id);
    }

    /** Makes it, or replaces it; its next time is counted from now. */
    public ScheduleView put(Schedule schedule) {
        Instant now = clock.instant();
        Instant next = schedule.paused() ? null : schedule.times().next(now).orElse(null);
        stored.put(schedule, next, now);
        return stored.find(schedule.id()).orElseThrow();
    }

    /** Its jobs stay. False where there is none. */
    public boolean delete(String id) {
        return stored.delete(id);
    }

    /** Makes the jobs whose time has come; to be called every second, by any instance. */
    public void fireDue() {
        Instant now = clock.instant();
        String after = "";
        Optional<PostgresSchedules.Fired> fired;
        do {
            List<String> replaced = new ArrayList<>();
            fired = stored.one(now, after, firing -> new Turn(firing, replaced).take());
            replaced.forEach(this::cancelReplaced);
            fired.ifPresent(made -> made.jobs().forEach(publish));
            after = fired.map(PostgresSchedules.Fired::schedule).orElse("");
        } while (fired.isPresent());
    }

    private void cancelReplaced(String job) {
        try {
            cancel.accept(job);
        } catch (JobStateException ended) {
            log.debug("{} needs not be replaced: {}", job, ended.getMessage());
        }
    }

    /** One schedule that is due, while nobody else can work on it. */
    private static final class Turn {
        private final PostgresSchedules.Firing firing;
        private final ScheduleView due;
        private final Schedule schedule;
        private final Instant now;
        private final List<String> replaced;

        Turn(PostgresSchedules.Firing firing, List<String> replaced) {
            this.firing = firing;
            this.due = firing.due();
            this.schedule = due.schedule();
            this.now = firing.now();
            this.replaced = replaced;
        }

        List<StoredJob> take() {
            List<String> under = firing.unfinished();
            boolean busy = !under.isEmpty();
            if (busy && schedule.overlap() == Overlap.QUEUE) {
                // It stays due, and was seen; it is looked at again in a second.
                firing.move(due.nextAt(), now, null);
                return List.of();
            }
            Deque<Instant> times = wanted();
            if (busy && schedule.overlap() == Overlap.SKIP) {
                times.clear();
            }
            if (schedule.overlap() != Overlap.QUEUE) {
                // Several at once would overlap.
                keepLast(times, 1);
            }
            if (schedule.overlap() == Overlap.REPLACE && !times.isEmpty()) {
                under.forEach(firing::cancel);
                replaced.addAll(under);
            }
            return made(times);
        }

        /** Times up to now that are to be made, the oldest first: the one that has come, and as many missed ones as wanted. */
        private Deque<Instant> wanted() {
            int most = schedule.catchUp() == CatchUp.ALL ? MOST_MISSED : 1;
            Deque<Instant> times = lastOnes(most);
            boolean waited = schedule.overlap() == Overlap.QUEUE
                    && due.lastAt() != null
                    && due.lastAt().isAfter(now.minus(ON_TIME));
            if (schedule.catchUp() == CatchUp.NONE && !waited) {
                times.removeIf(time -> time.isBefore(now.minus(ON_TIME)));
            }
            return times;
        }

        /** Looked for in ever longer spans, so that a year without anybody there is not gone through minute by minute. */
        private Deque<Instant> lastOnes(int most) {
            Instant first = Objects.requireNonNull(due.nextAt());
            Deque<Instant> times = new ArrayDeque<>();
            for (Duration span : SPANS) {
                Instant from = now.minus(span);
                boolean all = !from.isAfter(first);
                times.clear();
                Optional<Instant> next =
                        all ? Optional.of(first) : schedule.times().next(from);
                while (next.isPresent() && !next.get().isAfter(now)) {
                    times.add(next.get());
                    keepLast(times, most);
                    next = schedule.times().next(next.get());
                }
                if (all || times.size() == most) {
                    break;
                }
            }
            return times;
        }

        private List<StoredJob> made(Deque<Instant> times) {
            boolean oneByOne = schedule.overlap() == Overlap.QUEUE && times.size() > 1;
            if (oneByOne) {
                keepFirst(times);
            }
            List<StoredJob> jobs = new ArrayList<>();
            for (Instant time : times) {
                jobs.add(make(time));
            }
            Instant seenTo = oneByOne ? times.getLast() : now;
            firing.move(
                    schedule.times().next(seenTo).orElse(null),
                    seenTo,
                    jobs.isEmpty() ? null : jobs.getLast().id());
            return jobs;
        }

        private StoredJob make(Instant time) {
            JobSpec template = schedule.job();
            JobSpec job = new JobSpec(
                    schedule.jobId(time),
                    template.name(),
                    template.createdBy(),
                    null,
                    template.priority(),
                    template.queue(),
                    template.delay(),
                    template.tasks());
            return firing.make(job);
        }

        private static void keepLast(Deque<Instant> times, int most) {
            while (times.size() > most) {
                times.removeFirst();
            }
        }

        private static void keepFirst(Deque<Instant> times) {
            while (times.size() > 1) {
                times.removeLast();
            }
        }
    }
}
