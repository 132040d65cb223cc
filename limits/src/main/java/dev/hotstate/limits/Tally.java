package dev.hotstate.limits;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Redis;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Statistics of rate limits over all instances: how often each rule allows and denies, and whom it denies most.
 *
 * <p>Decisions are counted in memory and sent once a second in one script, each at most once: what an instance held when
 * it died, or could not send, is missing, about a second of it each time. Nothing is ever counted twice. An instance
 * counts at most {@value TallyCounts#MOST_RULES} rules a second, and its denials as {@link TopSubject} says.
 */
public final class Tally implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Tally.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final int TOPS_AN_HOUR = 6;

    private static final Comparator<TopSubject> MOST_DENIED = Comparator.comparingLong(TopSubject::denied)
            .reversed()
            .thenComparing(TopSubject::rule)
            .thenComparing(TopSubject::tag)
            .thenComparing(TopSubject::subject);

    private final RedisTally state;
    private final TallyHistory<Map<String, TallyRule>> rates;
    private final TallyHistory<Map<CounterId, Long>> tops;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ReentrantLock sending = new ReentrantLock();
    private final Thread sender;
    private volatile TallyCounts counts = new TallyCounts();

    /** Begins to count, and to send. Close it before Redis: it sends the rest. */
    public Tally(Redis redis) {
        this.state = new RedisTally(redis);
        this.rates = new TallyHistory<>(state::rates);
        this.tops = new TallyHistory<>(state::tops);
        this.sender = Thread.ofVirtual().name("limits-tally").start(this::run);
    }

    /** Counts what came of a call. In memory alone: it never waits and never fails. */
    public void note(Call call, Decision decision) {
        boolean noted = false;
        while (!noted) {
            noted = counts.note(call, decision);
        }
    }

    /** How often each rule allowed and denied over the last fifteen minutes, and now. */
    public Rates rates() {
        RedisTally.Moment now = state.moment();
        Instant until = Instant.EPOCH.plus(Rates.STEP.multipliedBy(now.slot()));
        List<Map<String, TallyRule>> past = rates.before(now.slot(), Rates.POINTS);
        return Rates.of(until, past, state.rates(List.of(now.slot())).getFirst(), now.share());
    }

    /** Who was denied most over the last hour (the ten minutes under way and the six before), at most so many. */
    public List<TopSubject> top(int limit) {
        if (limit < 1 || limit > TopSubject.MOST) {
            throw new IllegalArgumentException("limit must be 1 to " + TopSubject.MOST + ", not " + limit);
        }
        long slot = state.moment().slot() / RedisTally.SLOTS_A_TOP;
        List<Map<CounterId, Long>> hour = new ArrayList<>(tops.before(slot, TOPS_AN_HOUR));
        hour.addAll(state.tops(List.of(slot)));
        Map<CounterId, Long> denied = new HashMap<>();
        hour.forEach(top -> top.forEach((subject, count) -> denied.merge(subject, count, Long::sum)));
        return denied.entrySet().stream()
                .map(entry -> TopSubject.of(entry.getKey(), entry.getValue()))
                .sorted(MOST_DENIED)
                .limit(limit)
                .toList();
    }

    /**
     * Sends what was counted since the last time, if anything was. Should that fail, it is not sent again. One at a time,
     * so that whatever was counted before is sent, or lost, when this returns.
     */
    void flush() {
        sending.lock();
        try {
            if (!counts.isEmpty()) {
                send();
            }
        } catch (HotstateException lost) {
            log.debug("a second of statistics is lost: {}", lost.getMessage());
        } catch (RuntimeException mistaken) {
            log.warn("a second of statistics is lost", mistaken);
        } finally {
            sending.unlock();
        }
    }

    /** Ends, after sending the rest. */
    @Override
    public void close() {
        closed.countDown();
        try {
            sender.join(PATIENCE);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void send() {
        TallyCounts taken = counts;
        counts = new TallyCounts();
        taken.end();
        state.add(taken.byRule(), taken.denials());
    }

    private void run() {
        try {
            while (!closed.await(PERIOD.toNanos(), TimeUnit.NANOSECONDS)) {
                flush();
            }
            flush();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
