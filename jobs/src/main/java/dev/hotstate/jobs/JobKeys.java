package dev.hotstate.jobs;

import dev.hotstate.core.Key;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Service;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The keys of jobs. All of a job's are in one partition, beside what is ready, held and delayed there. */
public final class JobKeys {
    private static final int MAX_TAG = 3;
    public static final int MAX_JOB = 36;
    public static final int MAX_TASK = 32;
    public static final int MAX_QUEUE = 36;

    /** What a lane is for: {@code h.} and the name of a handler. */
    private static final int MAX_RUN = 32;

    /** Lines of a task's log that are kept. */
    static final int LOG_LINES = 1_000;

    /** The longest that Redis may be told to keep a job after its end. */
    static final Duration LONGEST_KEEP = Duration.ofDays(365);

    private static final String UNTIL_ARCHIVED =
            "until PostgreSQL has the job's end; from then on for jobs.keep, 24 h by default";

    private static final String WITH_ITS_END =
            "until PostgreSQL has the job's end; then it is deleted, for nobody reads it any more";

    static final KeyFamily JOB = KeyFamily.hash("{<partition>}:job:<job>")
            .id("partition", MAX_TAG)
            .id("job", MAX_JOB)
            .owner("jobs")
            .field("id name created_by created_at", "what was submitted, by whom, when (ms)")
            .field("status", "LOADING, and then PENDING RUNNING PAUSED SUCCEEDED FAILED CANCELLED")
            .field("tasks", "how many there are")
            .field(
                    "progress",
                    "read and written whole, parted by spaces: status, epoch (1, and one more with each re-run), how many"
                            + " tasks have not ended, succeeded, failed, were skipped, are ready, run, are delayed; 1 where a"
                            + " task has a rule other than all_success; 1 once a task has given a result; when its first"
                            + " task was taken, when its last one ended (ms, or -)")
            .keptThenExpires(UNTIL_ARCHIVED, LONGEST_KEEP)
            .typically(7, 30)
            .example("{j3}:job:invoice-2024-123")
            .why("a job's state and progress")
            .declared();

    static final KeyFamily TASK = KeyFamily.hash("{<partition>}:task:<job>:<task>")
            .id("partition", MAX_TAG)
            .id("job", MAX_JOB)
            .id("task", MAX_TASK)
            .owner("jobs")
            .field("id job_id name", "which it is")
            .field("status", "WAITING READY DELAYED RUNNING SUCCEEDED FAILED SKIPPED CANCELLED: the one place for it")
            .field("retry_count max_retries", "attempts after the first, so far and at most")
            .field(
                    "kit",
                    "what claiming it takes, parted by spaces: both of these, timeout and backoff (ms), priority, l where"
                            + " an attempt before has logged, n where it needs no other and o where it needs but one, and i where"
                            + " there is an input and s where there is a spec (or -), queue:run")
            .field("input", "JSON, where there is any")
            .field("spec", "its run as JSON, where it is a shell command or an HTTP request")
            .field(
                    "attempt",
                    "the last one, parted by spaces: its fence (after a ? where it has failed and PostgreSQL is asked for"
                            + " its effects), or - and when it ended (ms); retries before it; when it began"
                            + " (ms); 1 once it has logged; its worker; where it has one, p: and its permit")
            .field(
                    "ended",
                    "how its last attempt that was ended by a worker did (c: completed, f: failed, x: for good, u"
                            + " and v: the same, unsure of its effects, r: released), its fence and a space: told again, it is"
                            + " answered as before")
            .field("finished_at", "of a task that was skipped (ms)")
            .field("error", "of the last attempt that failed")
            .field("log_count", "lines logged so far, also those that are gone")
            .keptThenExpires(UNTIL_ARCHIVED, LONGEST_KEEP)
            .typically(9, 22)
            .example("{j3}:task:invoice-2024-123:email-1")
            .why("a task's state; a task's id is its job's alone, so that task names may repeat")
            .declared();

    static final KeyFamily LOGS = KeyFamily.list("{<partition>}:task:<job>:<task>:logs")
            .id("partition", MAX_TAG)
            .id("job", MAX_JOB)
            .id("task", MAX_TASK)
            .owner("jobs")
            .field("<line>", "time (ms), a space, and what was logged")
            .keptThenExpires("the last 1,000 lines, " + UNTIL_ARCHIVED, LONGEST_KEEP)
            .typically(20, 80)
            .example("{j3}:task:invoice-2024-123:email-1:logs")
            .why("a task's last lines, shown while they come and archived with its end")
            .declared();

    static final KeyFamily EDGES = dag(KeyFamily.hash("{<partition>}:dag:<job>:edges"), "edges")
            .field("<task>", "the ids that it needs, parted by commas")
            .keptThenExpires(UNTIL_ARCHIVED, LONGEST_KEEP)
            .typically(20, 24)
            .why("the graph: what each task waits for")
            .declared();

    static final KeyFamily ROOTS = dag(KeyFamily.set("{<partition>}:dag:<job>:roots"), "roots")
            .field("<task>", "a task that needs no other")
            .keptThenExpires(UNTIL_ARCHIVED, LONGEST_KEEP)
            .typically(2, 12)
            .why("where the job begins")
            .declared();

    static final KeyFamily VISITED = dag(KeyFamily.set("{<partition>}:dag:<job>:visited"), "visited")
            .field("<task>", "a task that has ended in this epoch, and was told to those that need it")
            .keptThenExpires(UNTIL_ARCHIVED, LONGEST_KEEP)
            .typically(20, 12)
            .why("an end counts once, however often it is reported")
            .declared();

    static final KeyFamily DEPENDENTS = dag(KeyFamily.hash("{<partition>}:dag:<job>:dependents"), "dependents")
            .field("<task>", "the ids that need it, parted by commas; the first 250 of them")
            .field("<task>,<n>", "the 250 after n times as many")
            .field(",<n>", "those that begin when the job is opened, in the same way")
            .kept(WITH_ITS_END)
            .typically(20, 24)
            .why("who is told when a task ends: a bounded part at a time")
            .declared();

    static final KeyFamily PENDING = dag(KeyFamily.hash("{<partition>}:dag:<job>:pending"), "pending")
            .field(
                    "<task>",
                    "of one that waits: needs that have not ended + 2^17 times those that failed + 2^34 times those that"
                            + " were skipped (or have succeeded, where one success is enough)")
            .kept(WITH_ITS_END)
            .typically(20, 14)
            .why("when a task may begin, or cannot any more, without looking at all that it needs")
            .declared();

    static final KeyFamily TRIGGERS = dag(KeyFamily.hash("{<partition>}:dag:<job>:triggers"), "triggers")
            .field("<task>", "its rule, where it is not all_success")
            .kept(WITH_ITS_END)
            .typically(2, 22)
            .why("when a task may begin")
            .declared();

    static final KeyFamily RESULTS = dag(KeyFamily.hash("{<partition>}:dag:<job>:results"), "results")
            .field("<task>", "what it has given, as JSON")
            .keptThenExpires(UNTIL_ARCHIVED, LONGEST_KEEP)
            .typically(10, 100)
            .why("what tasks hand to those that need them")
            .declared();

    static final KeyFamily PARKED = dag(KeyFamily.set("{<partition>}:dag:<job>:parked"), "parked")
            .field("<task>", "a ready task that came up while its job was paused")
            .kept(WITH_ITS_END)
            .typically(2, 12)
            .why("what is ready again when the job is resumed")
            .declared();

    // Without jobs: in front, as its longest name would leave 12 characters to the prefix; prod:hotstate has 13.
    static final KeyFamily READY = KeyFamily.zset("{<partition>}:ready:<queue>:<run>")
            .id("partition", MAX_TAG)
            .id("queue", MAX_QUEUE)
            .id("run", MAX_RUN)
            .owner("jobs")
            .field(
                    "<job>:<task>",
                    "(100 - priority) times 2^46, + 2^45 unless it finishes a job, + when it became ready (20 us since 2026)")
            .kept("one entry a ready task")
            .typically(100, 30)
            .example("{j3}:ready:default:worker")
            .why(
                    "what may be claimed, by queue and by who can do it: greater priority first, then what finishes a job, then the older")
            .declared();

    static final KeyFamily LEASES = partition(KeyFamily.zset("{<partition>}:jobs:leases"), "leases")
            .field("<job>:<task>", "the end of the lease (ms)")
            .kept("one entry a running task")
            .typically(100, 30)
            .why("what workers hold; what a dead one held comes back")
            .declared();

    static final KeyFamily DELAYED = partition(KeyFamily.zset("{<partition>}:jobs:delayed"), "delayed")
            .field("<job>:<task>", "when it is ready again (ms); with no task, when the job begins")
            .kept("one entry a delayed task or job")
            .typically(20, 30)
            .why("retries after their backoff, and jobs that begin later")
            .declared();

    static final KeyFamily STEPS = partition(KeyFamily.list("{<partition>}:jobs:steps"), "steps")
            .field(
                    "<job>:<task> <n> <state> <epoch>",
                    "the n-th part of its dependents is still to be told that it ended so")
            .field("<job>: <n> START <epoch>", "the n-th part of those that begin the job is still to be made ready")
            .field("<job>: 0 PARKED <epoch>", "what is parked is to be ready again, as the job was resumed")
            .kept("one entry a task whose many dependents are being told")
            .typically(1, 40)
            .why("what one call may do is bounded, and the rest is taken up by the next")
            .declared();

    static final KeyFamily LAPSED = partition(KeyFamily.zset("{<partition>}:jobs:lapsed"), "lapsed")
            .field("<job>:<task>", "when its last attempt lapsed (ms)")
            .kept("one entry a task whose last attempt lapsed, until PostgreSQL was asked for its effects")
            .typically(1, 30)
            .why("a last attempt that may have committed its effects is not called failed before that is known")
            .declared();

    static final KeyFamily ARCHIVE = partition(KeyFamily.stream("{<partition>}:jobs:archive"), "archive")
            .field(
                    "happened",
                    "in one call: when (ms), and then job:task, epoch, state, attempt (of a job, when it began), error,"
                            + " result of each; all parted by U+001F")
            .kept("until PostgreSQL has it; claims stop while too much waits")
            .typically(10, 200)
            .why("what happened, on its way to PostgreSQL")
            .declared();

    static final KeyFamily ARCHIVER = partition(KeyFamily.string("{<partition>}:jobs:archiver"), "archiver")
            .field("instance", "who writes the archive now")
            .expires(Duration.ofSeconds(10))
            .typically(1, 20)
            .why("one instance at a time writes a partition's archive; twice would do no harm")
            .declared();

    static final KeyFamily WAITING = partition(KeyFamily.string("{<partition>}:jobs:waiting"), "waiting")
            .field("1", "somebody waits for tasks of this partition")
            .expires(Duration.ofSeconds(35))
            .typically(1, 1)
            .why("who makes a task ready tells the others only if somebody waits")
            .declared();

    static final KeyFamily PERMITS = KeyFamily.zset("{<partition>}:jobs:permits:<queue>")
            .id("partition", MAX_TAG)
            .id("queue", MAX_QUEUE)
            .owner("jobs")
            .field("<permit>", "until when it is good (ms)")
            .expires(Wanted.LONGEST_LEASE)
            .typically(10, 30)
            .example("{j0}:jobs:permits:mail")
            .why("how many tasks of a queue run at once, over all partitions")
            .declared();

    static final KeyFamily LANES = partition(KeyFamily.zset("{<partition>}:jobs:lanes"), "lanes")
            .field("<queue>:<run>", "when a task was last ready there while none had been, or it was last kept (ms)")
            .kept("a thousand, and of more only those in which something is ready and as many others")
            .typically(5, 24)
            .why("which ready sets there are, without looking for them")
            .declared();

    static final KeyFamily WORKERS = partition(KeyFamily.zset("{<partition>}:jobs:workers"), "workers")
            .field("<worker> <queues>", "when it last asked (ms)")
            .bounded(10_000)
            .typically(20, 40)
            .why("who works, also those that have nothing to do")
            .declared();

    public static final Service SERVICE = new Service(
            "jobs",
            List.of(
                    JOB,
                    TASK,
                    LOGS,
                    EDGES,
                    ROOTS,
                    VISITED,
                    DEPENDENTS,
                    PENDING,
                    TRIGGERS,
                    RESULTS,
                    PARKED,
                    READY,
                    LEASES,
                    DELAYED,
                    STEPS,
                    LAPSED,
                    ARCHIVE,
                    ARCHIVER,
                    WAITING,
                    PERMITS,
                    LANES,
                    WORKERS),
            List.of(
                    RedisGraphs.LOAD,
                    RedisGraphs.RETIRE,
                    RedisAdvance.ADVANCE,
                    RedisTasks.KEEP,
                    RedisTasks.NOTE,
                    RedisGreetings.GREET,
                    RedisControl.STEER,
                    RedisArchive.DRAIN,
                    RedisLapsed.LAPSED,
                    RedisLook.LOOK,
                    RedisLook.CHECK,
                    RedisLook.LINES,
                    RedisLook.DEPTHS,
                    RedisLook.LEASES,
                    RedisPermits.TAKE,
                    RedisPermits.KEEP,
                    RedisPermits.GIVE),
            Set.of("xrange", "zrange"));

    private JobKeys() {}

    /** All keys of one job's graph, in the order in which scripts take them. */
    static List<Key> graph(Partition partition, String job) {
        return List.of(
                EDGES.of(partition, job),
                ROOTS.of(partition, job),
                VISITED.of(partition, job),
                DEPENDENTS.of(partition, job),
                PENDING.of(partition, job),
                TRIGGERS.of(partition, job),
                RESULTS.of(partition, job),
                PARKED.of(partition, job));
    }

    private static KeyFamily.Builder dag(KeyFamily.Builder family, String name) {
        return family.id("partition", MAX_TAG)
                .id("job", MAX_JOB)
                .owner("jobs")
                .example("{j3}:dag:invoice-2024-123:" + name);
    }

    private static KeyFamily.Builder partition(KeyFamily.Builder family, String name) {
        return family.id("partition", MAX_TAG).owner("jobs").example("{j3}:jobs:" + name);
    }
}
