package dev.hotstate.monitors.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a stretch of time amounts to; tallies of shorter stretches add up to that of a longer one. Not safe for use by
 * several threads.
 */
final class Tally {
    private long checks;
    private long ok;
    private long upMs;
    private long downMs;
    private long latencyMs;
    private final Histogram latency;

    Tally() {
        this(0, 0, 0, 0, 0, new Histogram());
    }

    Tally(long checks, long ok, long upMs, long downMs, long latencyMs, Histogram latency) {
        this.checks = checks;
        this.ok = ok;
        this.upMs = upMs;
        this.downMs = downMs;
        this.latencyMs = latencyMs;
        this.latency = latency;
    }

    static Tally sum(List<Tally> tallies) {
        Tally sum = new Tally();
        tallies.forEach(sum::merge);
        return sum;
    }

    /** A check took place. Only one that was ok has a latency worth telling: a refusal is quick, a timeout is the limit. */
    void check(Sample sample) {
        checks++;
        if (sample.ok()) {
            ok++;
            latencyMs += sample.latencyMs();
            latency.add(sample.latencyMs());
        }
    }

    /** For so long the monitor was as the sample says. */
    void stood(Sample sample, long ms) {
        if (sample.maintenance()) {
            return;
        }
        if (sample.down()) {
            downMs += ms;
        } else {
            upMs += ms;
        }
    }

    void merge(Tally other) {
        checks += other.checks;
        ok += other.ok;
        upMs += other.upMs;
        downMs += other.downMs;
        latencyMs += other.latencyMs;
        latency.merge(other.latency);
    }

    boolean isEmpty() {
        return checks == 0 && !isKnown();
    }

    boolean isKnown() {
        return upMs + downMs > 0;
    }

    /** In percent of the known time. */
    @Nullable
    Double uptime() {
        return isKnown() ? 100.0 * upMs / (upMs + downMs) : null;
    }

    @Nullable
    Double averageMs() {
        return ok == 0 ? null : (double) latencyMs / ok;
    }

    @Nullable
    Double percentile(double percent) {
        return latency.count() == 0 ? null : latency.percentile(percent);
    }

    long checks() {
        return checks;
    }

    long ok() {
        return ok;
    }

    long upMs() {
        return upMs;
    }

    long downMs() {
        return downMs;
    }

    long latencyMs() {
        return latencyMs;
    }

    Histogram latency() {
        return latency;
    }
}
