package dev.hotstate.jobs;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Jobs on their way into Redis, and out of it. */
final class RedisGraphs {
    private static final String GRAPH = "edges roots visited dependents pending triggers results parked";

    static final Script<Reply> LOAD = Script.of(
                    RedisGraphs.class,
                    "load",
                    List.of(("incarnation job " + GRAPH + " steps delayed leases lapsed archive waiting lanes")
                            .split(" ")),
                    Function.identity())
            .repeatable();

    static final Script<Reply> RETIRE = Script.of(
                    RedisGraphs.class,
                    "retire",
                    List.of(("incarnation job " + GRAPH + " leases delayed lapsed").split(" ")),
                    Function.identity())
            .repeatable();

    private final Redis redis;
    private final Passes passes;
    private final Partitions partitions;
    private final Wakeups wakeups;

    RedisGraphs(Redis redis, Passes passes, Partitions partitions, Wakeups wakeups) {
        this.redis = redis;
        this.passes = passes;
        this.partitions = partitions;
        this.wakeups = wakeups;
    }

    enum Loaded {
        /** It is there now, and open. */
        LOADED,
        /** It was there already, of this epoch or a later one: nothing changed. */
        ALREADY
    }

    enum Retired {
        /** Its keys go after a while. */
        RETIRED,
        /** It has not ended, or runs again: nothing changed. */
        NOT,
        /** Redis does not have it. */
        GONE
    }

    /** The same for a rebuild, under its own pass. */
    RedisGraphs under(Pass pass) {
        return new RedisGraphs(redis, Passes.always(pass), partitions, wakeups);
    }

    /** All pieces and the opening; repeatable, also by several at once. */
    Loaded load(JobHead head, List<TaskCell> cells) {
        return load(head, cells, any -> Map.of());
    }

    Loaded load(JobHead head, List<TaskCell> cells, LoadPieces.Given given) {
        Partition partition = partitions.of(head.id());
        LoadPieces pieces = new LoadPieces(head, cells, RunJson::write, given);
        for (int i = 0; i < pieces.count(); i++) {
            Reply reply = send(partition, head.id(), pieces.arguments(i));
            if (reply.word().equals("ALREADY")) {
                return Loaded.ALREADY;
            }
            if (i == pieces.count() - 1) {
                tell(partition, head, pieces.count() == 1, reply);
            }
        }
        return Loaded.LOADED;
    }

    /** Brings one piece. */
    Reply send(Partition partition, String jobId, List<String> piece) {
        List<String> args = arguments(partition);
        args.addAll(piece);
        return Moving.tryAgain(() -> LOAD.run(redis, loadKeys(partition, jobId), args));
    }

    /** Lets the keys of an ended job go, its graph at once and the others after a while; of one that has not ended, or runs again, nothing changes. */
    Retired retire(String jobId, List<String> tasks, Duration keep) {
        Partition partition = partitions.of(jobId);
        List<Key> keys = retireKeys(partition, jobId);
        for (int from = 0; from < Math.max(1, tasks.size()); from += LoadPieces.TASKS) {
            List<String> some = tasks.subList(from, Math.min(tasks.size(), from + LoadPieces.TASKS));
            List<String> args = retireArguments(partition, jobId, some, keep, true);
            Retired retired = Retired.valueOf(
                    Moving.tryAgain(() -> RETIRE.run(redis, keys, args)).word());
            if (retired != Retired.RETIRED) {
                return retired;
            }
        }
        return Retired.RETIRED;
    }

    /**
     * The same for many at once, all on their way together.
     *
     * @param silent jobs, and the tasks of each: {@value LoadPieces#TASKS} at most, none of which has logged
     */
    Map<String, Retired> retireAll(Map<String, List<String>> silent, Duration keep) {
        List<Script.Call> calls = new ArrayList<>(silent.size());
        silent.forEach((job, tasks) -> {
            Partition partition = partitions.of(job);
            calls.add(new Script.Call(retireKeys(partition, job), retireArguments(partition, job, tasks, keep, false)));
        });
        Iterator<Reply> replies =
                Moving.tryAgain(() -> RETIRE.runAll(redis, calls)).iterator();
        Map<String, Retired> retired = new HashMap<>();
        silent.keySet()
                .forEach(job -> retired.put(job, Retired.valueOf(replies.next().word())));
        return retired;
    }

    private List<String> retireArguments(
            Partition partition, String job, List<String> tasks, Duration keep, boolean logged) {
        List<String> args = arguments(partition);
        args.add(Long.toString(keep.toMillis()));
        args.add(job);
        args.add(logged ? "1" : "0");
        args.addAll(tasks);
        return args;
    }

    private void tell(Partition partition, JobHead head, boolean whole, Reply reply) {
        wakeups.tell(partition, Lanes.parse(reply.list(1)), reply.number(0) == 1);
        if (!whole && head.startAt() == null) {
            wakeups.due(Duration.ZERO);
        }
    }

    private List<String> arguments(Partition partition) {
        List<String> args = new ArrayList<>();
        args.add(passes.of(partition).toString());
        args.add(redis.scriptTime());
        return args;
    }

    private static List<Key> loadKeys(Partition partition, String job) {
        List<Key> keys = jobKeys(partition, job);
        keys.add(JobKeys.STEPS.of(partition));
        keys.add(JobKeys.DELAYED.of(partition));
        keys.add(JobKeys.LEASES.of(partition));
        keys.add(JobKeys.LAPSED.of(partition));
        keys.add(JobKeys.ARCHIVE.of(partition));
        keys.add(JobKeys.WAITING.of(partition));
        keys.add(JobKeys.LANES.of(partition));
        return keys;
    }

    private static List<Key> retireKeys(Partition partition, String job) {
        List<Key> keys = jobKeys(partition, job);
        keys.add(JobKeys.LEASES.of(partition));
        keys.add(JobKeys.DELAYED.of(partition));
        keys.add(JobKeys.LAPSED.of(partition));
        return keys;
    }

    private static List<Key> jobKeys(Partition partition, String job) {
        List<Key> keys = new ArrayList<>(15);
        keys.add(CoreKeys.INCARNATION.of(partition));
        keys.add(JobKeys.JOB.of(partition, job));
        keys.addAll(JobKeys.graph(partition, job));
        return keys;
    }
}
