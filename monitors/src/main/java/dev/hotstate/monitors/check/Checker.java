package dev.hotstate.monitors.check;

import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Resolver;

/**
 * Asks targets and judges what they answer. All of it happens on the caller's thread, which should be a virtual one: it
 * then ends at once when it is interrupted. Any number of threads may ask at the same time.
 */
public final class Checker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checker.class);

    private static final Map<CheckType, List<Assertion>> USUAL = Map.of(
            CheckType.HTTP, List.of(Assertion.parse("status < 400")),
            CheckType.DNS, List.of(Assertion.parse("dns.answers != []")));

    private final Set<Deadline> underWay = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor timer;
    private final Map<CheckType, Probe> probes;

    private Checker(ScheduledThreadPoolExecutor timer, Map<CheckType, Probe> probes) {
        this.timer = timer;
        this.probes = probes;
    }

    /** @param clock by which certificates expire */
    public static Checker open(CheckerOptions options, InstantSource clock) {
        var timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("hotstate-check-deadlines").factory());
        timer.setRemoveOnCancelPolicy(true);
        return new Checker(timer, probes(options, clock));
    }

    /**
     * Asks once. Whatever the target does is an outcome, within the timeout and some milliseconds.
     *
     * @throws CancellationException if the thread was interrupted, or this was closed: then nothing is known of the target
     * @throws IllegalArgumentException for a push monitor, which nobody asks
     */
    public Outcome check(CheckSpec spec) {
        Probe probe = probes.get(spec.type());
        if (probe == null) {
            throw new IllegalArgumentException(
                    "a monitor of type " + spec.type().word() + " is not asked");
        }
        try (Deadline deadline = Deadline.start(spec.timeout(), timer)) {
            underWay.add(deadline);
            try {
                return outcome(probe, spec, deadline);
            } finally {
                underWay.remove(deadline);
            }
        } catch (RejectedExecutionException e) {
            throw cancelled();
        }
    }

    /** Ends the checks that are under way, each without an outcome. */
    @Override
    public void close() {
        timer.shutdownNow();
        underWay.forEach(Deadline::close);
    }

    private Outcome outcome(Probe probe, CheckSpec spec, Deadline deadline) {
        var evidence = new Evidence();
        CheckFailedException failed = null;
        try {
            ask(probe, spec, deadline, evidence);
            new Judgement(evidence, deadline).of(assertions(spec));
        } catch (CheckFailedException e) {
            failed = e;
        } catch (RuntimeException e) {
            // A library that did not expect such an answer; the other checks must not suffer from this one.
            LOG.warn("The check of {} failed in an unforeseen way", spec.host(), e);
            failed = new CheckFailedException(Failure.GARBLED, "the answer was not understood: " + e);
        }
        if (failed != null && (timer.isShutdown() || Thread.currentThread().isInterrupted())) {
            throw cancelled();
        }
        return outcome(evidence, failed);
    }

    private static CancellationException cancelled() {
        return new CancellationException("the check was broken off");
    }

    private static void ask(Probe probe, CheckSpec spec, Deadline deadline, Evidence evidence)
            throws CheckFailedException {
        long start = System.nanoTime();
        try {
            probe.ask(spec, deadline, evidence);
        } finally {
            evidence.latency = Duration.ofNanos(System.nanoTime() - start);
        }
    }

    private static List<Assertion> assertions(CheckSpec spec) {
        return spec.assertions().isEmpty() ? USUAL.getOrDefault(spec.type(), List.of()) : spec.assertions();
    }

    private static Outcome outcome(Evidence evidence, @Nullable CheckFailedException failed) {
        return new Outcome(
                failed == null,
                evidence.status,
                evidence.latency,
                failed == null ? null : failed.reason(),
                failed != null && failed.failure().isRetryable(),
                evidence.phases(),
                evidence.certificateDaysLeft);
    }

    private static Map<CheckType, Probe> probes(CheckerOptions options, InstantSource clock) {
        Resolver resolver = NameServers.resolver(options.nameServers());
        var dialer = new Dialer(new NameResolver(resolver), new AddressRules(options.allowed()));
        var handshakes = new Handshakes(clock);
        Map<CheckType, Probe> probes = new EnumMap<>(CheckType.class);
        probes.put(CheckType.TCP, new TcpProbe(dialer));
        probes.put(CheckType.TLS, new TlsProbe(dialer, handshakes));
        probes.put(CheckType.HTTP, new HttpProbe(dialer, handshakes, options.largestBody()));
        probes.put(CheckType.DNS, new DnsProbe(dialer, resolver));
        probes.put(CheckType.REDIS, new RedisProbe(dialer, handshakes));
        probes.put(CheckType.POSTGRES, new PostgresProbe(dialer, handshakes));
        return probes;
    }
}
