package dev.hotstate.jobs;

import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Parts;
import dev.hotstate.core.Redis;
import dev.hotstate.store.Database;
import dev.hotstate.store.MigrationSet;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * All of the scheduler, put together. {@link #start} reads from top to bottom; it ends in the opposite order. The doors are
 * {@link #jobs} for those who submit and watch, {@link #tasks} and {@link #effects} for those who work, and
 * {@link #schedules}.
 */
public final class Jobbing implements AutoCloseable {
    /** How instances tell each other of ready tasks; of no use to anybody else. */
    public static final String READY_TOPIC = Wakeups.TOPIC;

    /** Redis lets go of a job a while after it was retired, and that a while after its end: its id is not free before. */
    private static final Duration UNTIL_RETIRED = Duration.ofHours(1);

    /** Entries that wait for PostgreSQL beyond which tasks end in numbers, and other work on ended jobs gives way. */
    private static final int BUSY_ARCHIVE = 10;

    private final Parts parts;
    private final Jobs jobs;
    private final Tasks tasks;
    private final PostgresEffects effects;
    private final Schedules schedules;
    private final Retirement retirement;
    private final Archiver archiver;
    private final Reconciler reconciler;
    private final RedisLook look;
    private final InstantSource clock;
    private final Duration retention;
    private final List<Consumer<JobChange>> listeners = new CopyOnWriteArrayList<>();

    /**
     * What it stands on, all of which outlives it.
     *
     * @param events with the topic {@link #READY_TOPIC}
     * @param clock the wall clock; whatever decides goes by Redis's, but for schedules
     */
    public record Ground(
            Redis redis,
            Database database,
            Incarnations incarnations,
            Events events,
            MeterRegistry meters,
            InstantSource clock) {}

    /**
     * @param partitions into how many the jobs are divided; all instances must agree
     * @param keep how long Redis keeps a job after its end
     * @param retention how long PostgreSQL keeps a job after its end, no less than Redis does
     * @param archiveLimit entries that may wait for PostgreSQL in a partition before no more tasks are handed out there
     */
    public record Options(int partitions, Duration keep, int archiveLimit, Duration retention) {
        private static final Duration USUAL_RETENTION = Duration.ofDays(30);
        private static final Duration LONGEST_RETENTION = Duration.ofDays(3_650);

        public static final Options DEFAULTS = new Options(4, Duration.ofHours(24), 5_000);

        /** With a retention of 30 days, or as long as Redis keeps a job where that is longer. */
        public Options(int partitions, Duration keep, int archiveLimit) {
            this(partitions, keep, archiveLimit, keep.compareTo(USUAL_RETENTION) > 0 ? keep : USUAL_RETENTION);
        }

        public Options {
            requireBetween("partitions", partitions, 1, 64);
            requireBetween("archive_limit", archiveLimit, 10, 1_000_000);
            if (keep.compareTo(Duration.ofSeconds(1)) < 0 || keep.compareTo(JobKeys.LONGEST_KEEP) > 0) {
                throw new IllegalArgumentException("keep must be from 1s to 365d, not " + keep);
            }
            if (retention.compareTo(keep) < 0 || retention.compareTo(LONGEST_RETENTION) > 0) {
                throw new IllegalArgumentException(
                        "retention must be from keep (" + keep + ") to 3650d, not " + retention);
            }
        }

        private static void requireBetween(String field, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(field + " must be " + least + " to " + most + ", not " + value);
            }
        }
    }

    /** The tables of this module. */
    public static MigrationSet migrations() {
        return MigrationSet.of("jobs");
    }

    /** Begins to publish, archive and tend. If it throws, it has left nothing running. */
    public static Jobbing start(Ground ground, Options options) {
        return Parts.together("jobs", parts -> new Jobbing(ground, options, parts));
    }

    private Jobbing(Ground ground, Options options, Parts parts) {
        this.parts = parts;
        Redis redis = ground.redis();
        Database database = ground.database();
        Incarnations passes = ground.incarnations();
        this.clock = ground.clock();
        this.retention = options.retention();
        Partitions partitions = new Partitions("j", options.partitions());

        PostgresJobs stored = new PostgresJobs(database);
        PostgresTasks storedTasks = new PostgresTasks(database);
        PostgresArchive storedArchive = new PostgresArchive(database);
        PostgresControl storedControl = new PostgresControl(database);
        PostgresEnds ends = new PostgresEnds(database);
        this.effects = new PostgresEffects(database);
        QueueLimits limits = new QueueLimits(new PostgresQueues(database));
        Graphs graphs = new Graphs(stored);

        Wakeups wakeups = parts.keep(new Wakeups(ground.events()));
        RedisGraphs loading = new RedisGraphs(redis, passes, partitions, wakeups);
        this.look = new RedisLook(redis, partitions);
        RedisAdvance advance = new RedisAdvance(
                redis, passes, wakeups, () -> ThreadLocalRandom.current().nextDouble());
        Publication publication = new Publication(graphs, storedTasks, storedArchive, clock);
        passes.watch(
                "jobs",
                partitions.all(),
                new JobRebuild(stored, storedControl, storedArchive, publication, loading, partitions, clock));

        Permits permits = new QueuePermits(new RedisPermits(redis, passes, partitions), limits);
        FreedPermits freed = new FreedPermits(permits, partitions.all(), wakeups);
        RedisTasks working = new RedisTasks(
                redis, passes, partitions, wakeups, advance, new RedisTasks.Options(permits, options.archiveLimit()));
        this.tasks = working;
        RedisControl steering = new RedisControl(redis, passes, partitions, wakeups);
        EndedLogs endedLogs = new EndedLogs(stored, storedTasks, ends, look);
        Control control = new Control(
                database, storedControl, steering, publication, loading, graphs, storedTasks, look, endedLogs);
        Submissions submissions = new Submissions(database, stored, graphs, publication, loading, clock);
        this.jobs = new StoredJobs(
                submissions, control, showing(stored, storedTasks, ends, graphs, look, limits, clock), limits);
        this.schedules = new Schedules(new PostgresSchedules(database), submissions::publish, jobs::cancel, clock);
        this.retirement = parts.keep(new Retirement(
                stored,
                ends,
                graphs,
                loading,
                steering,
                endedLogs,
                options.keep(),
                () -> archiveLag().entries() > BUSY_ARCHIVE));
        this.archiver = parts.keep(new Archiver(
                new RedisArchive(redis, passes),
                storedArchive,
                partitions,
                UUID.randomUUID().toString(),
                retirement::add,
                change -> listeners.forEach(listener -> listener.accept(change))));
        this.reconciler =
                new Reconciler(stored, storedControl, storedArchive, storedTasks, graphs, look, clock, retirement::add);
        Publisher publisher = new Publisher(stored, publication, loading, control);
        Lapses lapses = new Lapses(new RedisLapsed(redis, partitions, advance, freed), effects, partitions);
        Tender tender = parts.keep(new Tender(advance, partitions.all(), wakeups, freed));

        gauges(ground.meters());
        retirement.start();
        archiver.start();
        tender.start();
        parts.follow("limits of queues", limits::refresh);
        parts.follow("unpublished jobs", publisher::publishLeftovers);
        working.unsureOf(parts.follow("lapsed tasks", lapses::settle)::nudge);
        parts.follow("schedules", schedules::fireDue);
    }

    private static StoredJobs.Showing showing(
            PostgresJobs stored,
            PostgresTasks storedTasks,
            PostgresEnds ends,
            Graphs graphs,
            RedisLook look,
            QueueLimits limits,
            InstantSource clock) {
        JobViews jobViews = new JobViews(stored, storedTasks, look);
        TaskViews taskViews = new TaskViews(jobViews, stored, graphs, storedTasks, look);
        return new StoredJobs.Showing(
                jobViews,
                taskViews,
                new Reasons(stored, graphs, taskViews, look, limits, clock),
                new Logs(taskViews, look, ends),
                new Crew(look, limits));
    }

    private void gauges(MeterRegistry meters) {
        Gauge.builder("hotstate.jobs.stuck", this, all -> all.stuck().size()).register(meters);
        Gauge.builder(
                        "hotstate.jobs.archive.entries",
                        this,
                        all -> all.archiveLag().entries())
                .register(meters);
        Gauge.builder(
                        "hotstate.jobs.archive.age",
                        this,
                        all -> all.archiveLag().age().toMillis() / 1000.0)
                .baseUnit("seconds")
                .register(meters);
    }

    public Jobs jobs() {
        return jobs;
    }

    public Tasks tasks() {
        return tasks;
    }

    public PostgresEffects effects() {
        return effects;
    }

    public Schedules schedules() {
        return schedules;
    }

    /** What waits for PostgreSQL in the partitions that this instance archives, as it was last seen. */
    public ArchiveLag archiveLag() {
        return archiver.lag();
    }

    /** Jobs that nothing will move on, as this instance saw them when it last looked at all. None, unless something is broken. */
    public Set<String> stuck() {
        return reconciler.stuck();
    }

    /** Where tasks wait for a worker now. */
    public Set<Lane> waiting() {
        return look.depths().entrySet().stream()
                .filter(lane -> lane.getValue().ready() > 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Tells whoever wants to know of jobs that changed, once PostgreSQL knows: on the instance that archived it. */
    public void listen(Consumer<JobChange> listener) {
        listeners.add(listener);
    }

    /** To be called every minute or so, by any instance: what Redis and PostgreSQL no longer agree on is mended. */
    public void reconcile() {
        reconciler.look();
    }

    /** To be called every minute or so, by any instance: keys of ended jobs that nobody has let go of. */
    public void retireForgotten() {
        retirement.takeUpForgotten();
    }

    /** To be called every hour or so, by any instance: jobs whose time in PostgreSQL is over. */
    public void forgetOld() {
        retirement.forgetBefore(clock.instant().minus(retention).minus(UNTIL_RETIRED));
    }

    @Override
    public void close() {
        parts.close();
    }
}
