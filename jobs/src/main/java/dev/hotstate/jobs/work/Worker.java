package dev.hotstate.jobs.work;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.Claimed;
import dev.hotstate.jobs.Ending;
import dev.hotstate.jobs.Lane;
import dev.hotstate.jobs.Recall;
import dev.hotstate.jobs.Tasks;
import dev.hotstate.jobs.Wanted;
import dev.hotstate.jobs.graph.JobLimits;
import dev.hotstate.jobs.graph.Run;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does tasks in this process, each on a thread that is its own as long as it runs: a virtual one, or one of the system's
 * while it is the only task. The next one may follow on it, and find what this one left in variables of the thread. Any
 * number of workers do so side by side.
 *
 * <pre>{@code
 * Worker worker = Worker.of(tasks, WorkerOptions.named("billing-1"))
 *         .handler("render", Invoice.class, String.class, (invoice, context) -> render(invoice))
 *         .handler("charge", Order.class, Receipt.class, (order, context) ->
 *                 context.transactionally(effects, Receipt.class, connection -> charge(order, connection)))
 *         .start();
 * }</pre>
 *
 * A handler that throws has failed this attempt. One that does not return within its task's timeout is interrupted, and
 * if it goes on nevertheless, it is no longer waited for: its place is another's, and whatever it says later is refused.
 */
public final class Worker implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Worker.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    /**
     * Of one wait for a task. It is never interrupted, since a task that Redis has handed out just then would be lost for
     * a lease; so it is short, and an idle worker asks once in so long.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** How long handlers may take to stop after the grace. */
    private static final Duration LAST_MOMENT = Duration.ofSeconds(1);

    private final Tasks tasks;
    private final WorkerOptions options;
    private final Json json;
    private final Map<Lane, Duty> duties = new LinkedHashMap<>();
    private final Set<Attempt> underWay = ConcurrentHashMap.newKeySet();
    private final Set<Attempt> withheld = ConcurrentHashMap.newKeySet();
    private final Set<Attempt> abandoned = ConcurrentHashMap.newKeySet();
    private final Places places;
    private final Endings endings;
    private final Watch watch;
    private final LogFlusher logs;
    private final TaskThreads threads;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread claimer;
    private final Map<String, Duty> everywhere = new LinkedHashMap<>();
    private volatile List<Lane> lanes = List.of();

    private Worker(Tasks tasks, WorkerOptions options) {
        this.tasks = tasks;
        this.options = options;
        this.json = new Json(options.json());
        this.places = new Places(options.concurrency());
        this.endings = new Endings(tasks, places, new Next());
        this.watch = new Watch(options.name(), tasks, underWay, options.lease(), this::abandon);
        this.logs = new LogFlusher(options.name());
        this.threads = new TaskThreads(options.threads());
        this.claimer = Thread.ofVirtual().name("claims-" + options.name()).unstarted(this::claim);
    }

    /** One that has nothing to do yet. */
    public static Worker of(Tasks tasks, WorkerOptions options) {
        return new Worker(tasks, options);
    }

    /** Does the tasks with {@code run: {handler: name}}, of all queues of its options. */
    public <I, R> Worker handler(String name, Class<I> input, Class<R> result, Handler<I, R> handler) {
        return onEachQueue(handlerLane(name), typed(input, result, handler));
    }

    /** The same for tasks whose input, if there is any, is of no interest. */
    public <R> Worker handler(String name, Class<R> result, Handler.OfNothing<R> handler) {
        return onEachQueue(handlerLane(name), typed(result, handler));
    }

    /** Does the tasks of a queue that are for anybody: those without {@code run}. */
    public <I, R> Worker queue(String queue, Class<I> input, Class<R> result, Handler<I, R> handler) {
        return on(new Lane(queue, Run.External.LANE), typed(input, result, handler));
    }

    public <R> Worker queue(String queue, Class<R> result, Handler.OfNothing<R> handler) {
        return on(new Lane(queue, Run.External.LANE), typed(result, handler));
    }

    /** Runs the shell commands of all queues of its options. */
    public Worker shell(ShellRunner runner) {
        return onEachQueue(Run.Shell.LANE, runner);
    }

    /** Makes the HTTP requests of all queues of its options. */
    public Worker http(HttpRunner runner) {
        return onEachQueue(Run.Http.LANE, runner);
    }

    /**
     * What it does for all queues of its options it does from now on for these too, instead of those that it was given
     * here before. It has begun already.
     */
    public void alsoServe(Collection<String> queues) {
        Set<Lane> all = new LinkedHashSet<>(duties.keySet());
        for (String queue : queues) {
            requireName("a queue", queue, JobLimits.QUEUE);
            everywhere.keySet().forEach(run -> all.add(new Lane(queue, run)));
        }
        lanes = List.copyOf(all);
    }

    /** Begins to claim. */
    public Worker start() {
        if (duties.isEmpty()) {
            throw new IllegalStateException("worker " + options.name() + " has no handler");
        }
        lanes = List.copyOf(duties.keySet());
        claimer.start();
        logs.start();
        watch.start();
        threads.start();
        return this;
    }

    /** Tasks under way. */
    public int running() {
        return underWay.size();
    }

    /**
     * Claims no more. Tasks under way may end within the grace; then they are interrupted, and those that do not end by
     * themselves are handed back for others, at no cost of a retry.
     */
    @Override
    public void close() {
        closing.countDown();
        if (claimer.getState() == Thread.State.NEW) {
            return;
        }
        try {
            boolean idle = places.awaitAll(options.grace()) || stopAll();
            if (!idle) {
                log.warn("worker {} ends with {} tasks under way", options.name(), underWay.size());
            }
            claimer.join(PATIENCE.multipliedBy(5));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            endings.close();
            watch.close();
            logs.close();
            threads.close();
        }
    }

    private boolean stopAll() throws InterruptedException {
        underWay.forEach(attempt -> attempt.stop(Attempt.Stop.CLOSING));
        if (places.awaitAll(LAST_MOMENT)) {
            return true;
        }
        for (Attempt attempt : underWay) {
            if (endsWithoutIt(attempt)) {
                log.warn("{} does not stop, and is handed back", attempt);
                Claimed next = endings.tell(attempt, new Ending.Released(attempt.held()));
                if (next != null) {
                    begin(next);
                }
            }
        }
        return places.awaitAll(LAST_MOMENT);
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private static String handlerLane(String name) {
        requireName("a handler", name, JobLimits.NAME);
        return new Run.Handler(name).lane();
    }

    private <I, R> Duty typed(Class<I> input, Class<R> result, Handler<I, R> handler) {
        json.prepare(result);
        return (task, context) -> json.write(handler.run(json.input(task.input(), input), context));
    }

    private <R> Duty typed(Class<R> result, Handler.OfNothing<R> handler) {
        json.prepare(result);
        return (task, context) -> json.write(handler.run(context));
    }

    private Worker onEachQueue(String run, Duty duty) {
        options.queues().forEach(queue -> on(new Lane(queue, run), duty));
        everywhere.put(run, duty);
        return this;
    }

    private Worker on(Lane lane, Duty duty) {
        requireName("a queue", lane.queue(), JobLimits.QUEUE);
        if (!lanes.isEmpty()) {
            throw new IllegalStateException("worker " + options.name() + " has begun: its handlers are given before");
        }
        if (duties.putIfAbsent(lane, duty) != null) {
            throw new IllegalArgumentException(lane + " has a handler already");
        }
        return this;
    }

    private static void requireName(String what, String name, int longest) {
        if (name.length() > longest || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    what + " is called by 1 to " + longest + " of A-Z a-z 0-9 . _ -, not \"" + name + "\"");
        }
    }

    private void claim() {
        try (Tasks.Claimer claimer = tasks.claimer(new Recall())) {
            boolean more = true;
            while (!isClosing()) {
                try {
                    more = claim(claimer, more);
                } catch (HotstateException notNow) {
                    log.debug("worker {} waits: {}", options.name(), notNow.getMessage());
                    pause();
                } catch (RuntimeException | Error mistaken) {
                    log.warn("worker {} waits", options.name(), mistaken);
                    pause();
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Takes what there is for all free places; where the last call has found all of it, waits for a first one with one place
     * only, since the others are for what the tasks under way bring along when they end. With none under way it does both.
     *
     * @return whether there were enough, so that there may be more
     */
    private boolean claim(Tasks.Claimer claimer, boolean more) throws InterruptedException {
        boolean idle = underWay.isEmpty();
        int mine = places.takeSome(idle || more ? Wanted.MOST : 1);
        int begun = 0;
        boolean allBegan = true;
        try {
            if (!isClosing()) {
                for (Claimed task : claimer.claim(wanted(mine, idle || !more ? PATIENCE : Duration.ZERO))) {
                    begun++;
                    allBegan &= begin(task);
                }
            }
        } finally {
            places.give(mine - begun);
        }
        if (!allBegan) {
            pause();
        }
        return begun == mine;
    }

    private Wanted wanted(int most, Duration patience) {
        return new Wanted(options.name(), lanes, most, options.lease(), patience);
    }

    private void pause() throws InterruptedException {
        if (closing.await(ThreadLocalRandom.current().nextLong(250, 750), TimeUnit.MILLISECONDS)) {
            log.debug("worker {} ends", options.name());
        }
    }

    /** False where no thread is to be had for it: then others may have it. */
    private boolean begin(Claimed task) {
        Attempt attempt = attempt(task);
        try {
            threads.start(() -> runAll(attempt), underWay.size() == 1);
            return true;
        } catch (RuntimeException | Error noThread) {
            log.error("{} is handed back: there is no thread for it", attempt, noThread);
            handBack(attempt);
            return false;
        }
    }

    private void handBack(Attempt attempt) {
        attempt.end();
        try {
            tasks.end(List.of(new Ending.Released(attempt.held())), null);
        } catch (RuntimeException unheard) {
            log.debug("{} comes back when its lease ends", attempt, unheard);
        } finally {
            underWay.remove(attempt);
            places.give(1);
        }
    }

    private Attempt attempt(Claimed task) {
        Attempt attempt = new Attempt(task, tasks, options.lease(), json, logs::add);
        underWay.add(attempt);
        if (isClosing()) {
            attempt.stop(Attempt.Stop.CLOSING);
        }
        return attempt;
    }

    /** One task after the other, for as long as the end of each brings the next. */
    private void runAll(Attempt first) {
        Claimed next = run(first);
        while (next != null && threads.isRight(underWay.isEmpty())) {
            next = run(attempt(next));
        }
        if (next != null) {
            begin(next);
        }
    }

    /** The task that came back with its end, if one did: its place is handed over with it. */
    private @Nullable Claimed run(Attempt attempt) {
        Lane lane = attempt.task().lane();
        Duty duty = duties.containsKey(lane) ? duties.get(lane) : everywhere.get(lane.run());
        Ending ending = duty == null
                ? new Ending.Failed(attempt.held(), "no handler for " + lane, true)
                : attempt.perform(duty);
        if (!attempt.end()) {
            returned(attempt);
            return null;
        }
        attempt.flushLines();
        if (ending == null) {
            underWay.remove(attempt);
            places.give(1);
            return null;
        }
        return endings.tell(attempt, ending);
    }

    /** No longer waits for a handler that does not stop. As many again may be so stuck; with more, the worker has less room. */
    private void abandon(Attempt attempt) {
        int stuck;
        boolean replaced;
        synchronized (abandoned) {
            if (!endsWithoutIt(attempt)) {
                return;
            }
            stuck = abandoned.size();
            replaced = stuck <= options.concurrency();
            if (!replaced) {
                withheld.add(attempt);
            }
        }
        underWay.remove(attempt);
        if (replaced) {
            places.give(1);
        }
        StringBuilder where = new StringBuilder();
        for (StackTraceElement frame : attempt.whereabouts()) {
            where.append("\n\tat ").append(frame);
        }
        log.error(
                "{} does not stop though it was interrupted; {} such, this one {}. It is at{}",
                attempt,
                stuck,
                replaced ? "is replaced" : "keeps its place",
                where);
    }

    /** A handler that returns just then finds that it is among those that nobody waits for. */
    private boolean endsWithoutIt(Attempt attempt) {
        synchronized (abandoned) {
            boolean ends = attempt.end();
            if (ends) {
                abandoned.add(attempt);
            }
            return ends;
        }
    }

    /** A handler returned that nobody waits for any more. */
    private void returned(Attempt attempt) {
        boolean wasWithheld;
        synchronized (abandoned) {
            abandoned.remove(attempt);
            wasWithheld = withheld.remove(attempt);
        }
        if (wasWithheld) {
            places.give(1);
        }
    }

    private final class Next implements Endings.Worker {
        @Override
        public @Nullable Wanted wanted(int most) {
            return isClosing() ? null : Worker.this.wanted(most, Duration.ZERO);
        }

        @Override
        public int running() {
            return Worker.this.running();
        }

        @Override
        public void begin(Claimed task) {
            Worker.this.begin(task);
        }

        @Override
        public void told(Attempt attempt) {
            underWay.remove(attempt);
        }
    }
}
