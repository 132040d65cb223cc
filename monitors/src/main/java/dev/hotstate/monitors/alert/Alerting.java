package dev.hotstate.monitors.alert;

import dev.hotstate.monitors.alert.PostgresDeliveries.Claimed;
import dev.hotstate.monitors.alert.Verdict.Delivered;
import dev.hotstate.monitors.alert.Verdict.Failed;
import dev.hotstate.monitors.alert.Verdict.Hopeless;
import dev.hotstate.store.Database;
import dev.hotstate.store.StoreException;
import dev.hotstate.store.StoreUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers what is in the outbox, at least once, on any number of instances. A message is leased from PostgreSQL, sent
 * outside of any transaction, and its fate recorded under the lease's fence. It goes out twice only where a sender stopped
 * between sending and recording, or the other side's answer was lost; then with the same Idempotency-Key.
 *
 * <p>Alerts of one incident reach a channel in their order: a later one waits until the earlier is delivered or given up.
 */
public final class Alerting implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Alerting.class);
    private static final Duration RECORD_AGAIN = Duration.ofMillis(200);
    private static final Duration LAST_WORD = Duration.ofSeconds(2);

    private final PostgresDeliveries deliveries;
    private final AlertOptions options;
    private final InstantSource clock;
    private final Courier courier;
    private final AlertMeters meters;
    private final Desk desk = new Desk();
    private final Semaphore bell = new Semaphore(0);
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final Thread dispatcher = Thread.ofVirtual().name("alerts").unstarted(this::run);
    private final Every expiry;
    private final Every measuring = new Every(Duration.ofSeconds(5));
    private volatile boolean closing;
    private boolean troubled;

    private Alerting(Database database, AlertOptions options, MeterRegistry meters, InstantSource clock) {
        this.deliveries = new PostgresDeliveries(database);
        this.options = options;
        this.clock = clock;
        this.courier = new Courier(options, clock);
        this.meters = new AlertMeters(meters);
        this.expiry = new Every(options.pace().poll());
    }

    public static Alerting start(Database database, AlertOptions options, MeterRegistry meters, InstantSource clock) {
        var alerting = new Alerting(database, options, meters, clock);
        alerting.dispatcher.start();
        return alerting;
    }

    /** Something was committed to the outbox: looks at it now rather than within a second. */
    public void nudge() {
        bell.release();
    }

    /** Sends one real message, marked as a test, now and only once. It is not in the log. */
    public TestResult test(Channel channel) {
        String key = "test-" + UUID.randomUUID();
        long begin = System.nanoTime();
        try {
            Verdict verdict = courier.bring(Message.test(channel.id(), clock.instant()), key, channel);
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            return switch (verdict) {
                case Delivered delivered -> new TestResult(true, delivered.note(), took, key);
                case Failed failed -> new TestResult(false, failed.error(), took, key);
                case Hopeless hopeless -> new TestResult(false, hopeless.error(), took, key);
            };
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new TestResult(false, "stopped", Duration.ofNanos(System.nanoTime() - begin), key);
        }
    }

    /** Tries a message again that was given up, as if it were new. False when it was not given up. */
    public boolean replay(long delivery) {
        boolean replayed = deliveries.replay(delivery);
        nudge();
        return replayed;
    }

    public Backlog backlog() {
        return deliveries.backlog();
    }

    /** Lets go of the log of deliveries that came to an end longer ago than they are kept; answers how many. */
    public int purge() {
        return deliveries.purge(clock.instant().minus(options.retention()));
    }

    /** Claims nothing more, gives what is under way a moment, and hands the rest back for others to send. */
    @Override
    public void close() {
        closing = true;
        nudge();
        try {
            dispatcher.join();
            workers.shutdown();
            if (!workers.awaitTermination(LAST_WORD.toNanos(), TimeUnit.NANOSECONDS)) {
                workers.shutdownNow();
                workers.awaitTermination(LAST_WORD.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException stopped) {
            workers.shutdownNow();
            Thread.currentThread().interrupt();
        }
        courier.close();
    }

    private void run() {
        try {
            while (!closing) {
                bell.drainPermits();
                step();
                bell.tryAcquire(options.pace().poll().toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whatever happens here happens again in a second, and must not end the deliveries. */
    private void step() {
        try {
            if (expiry.isDue()) {
                deliveries.expire(options.pace().grace());
            }
            claim().forEach(this::dispatch);
            if (measuring.isDue()) {
                meters.saw(deliveries.backlog());
            }
            troubled = false;
        } catch (RuntimeException failed) {
            if (!troubled) {
                LOG.warn("Alerts wait, since the outbox cannot be read: {}", failed.getMessage());
            }
            troubled = true;
        }
    }

    private List<Claimed> claim() {
        AlertOptions.Pace pace = options.pace();
        int room = pace.workers() - desk.underWay();
        return room == 0 ? List.of() : deliveries.claim(room, pace.perChannel(), desk.busy(), pace.lease());
    }

    private void dispatch(Claimed claimed) {
        desk.begin(claimed.channel());
        workers.execute(() -> {
            try {
                deliver(claimed);
            } finally {
                desk.end(claimed.channel());
                nudge(); // there is room again, and the next of its incident may follow
            }
        });
    }

    private void deliver(Claimed claimed) {
        long begin = System.nanoTime();
        try {
            Verdict verdict = attempt(claimed);
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            meters.count(verdict, record(claimed, verdict), took);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private Verdict attempt(Claimed claimed) throws InterruptedException {
        if (claimed.settings() == null) {
            return new Hopeless("the channel \"" + claimed.channel() + "\" was deleted");
        }
        try {
            Channel channel = PostgresChannels.read(claimed.channel(), claimed.settings());
            return courier.bring(Message.parse(claimed.message()), claimed.key(), channel);
        } catch (InterruptedException stopped) {
            handBack(claimed);
            throw stopped;
        } catch (IllegalArgumentException unreadable) {
            return new Failed(String.valueOf(unreadable.getMessage()));
        }
    }

    /** Until PostgreSQL knows: as long as it does not, the message would go out again. */
    private boolean record(Claimed claimed, Verdict verdict) throws InterruptedException {
        for (; ; ) {
            try {
                boolean held = write(claimed, verdict);
                if (!held) {
                    LOG.warn("Alert {} was taken over by another sender before its fate was recorded", claimed.key());
                }
                return held;
            } catch (StoreUnavailableException away) {
                LOG.debug("The fate of alert {} cannot be recorded yet: {}", claimed.key(), away.getMessage());
                Thread.sleep(RECORD_AGAIN);
            } catch (StoreException broken) {
                LOG.error("The fate of alert {} cannot be recorded", claimed.key(), broken);
                return false;
            }
        }
    }

    private boolean write(Claimed claimed, Verdict verdict) {
        return switch (verdict) {
            case Delivered delivered -> deliveries.delivered(claimed, delivered.note());
            case Hopeless hopeless -> deliveries.dead(claimed, hopeless.error());
            case Failed failed -> {
                LOG.info("Alert {} did not arrive, attempt {}: {}", claimed.key(), claimed.attempts(), failed.error());
                double chance = ThreadLocalRandom.current().nextDouble();
                Duration wait = options.retries().wait(claimed.attempts(), failed.retryAfter(), chance);
                yield deliveries.failed(claimed, failed.error(), wait, options.retries());
            }
        };
    }

    /** Without this the others would wait for the lease to run out. */
    private void handBack(Claimed claimed) {
        try {
            deliveries.failed(claimed, "its sender was stopped", Duration.ZERO, options.retries());
        } catch (StoreException away) {
            LOG.info("Alert {} is sent by another instance once its lease has run out", claimed.key());
        }
    }
}
