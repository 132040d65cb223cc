package dev.hotstate.limits;

import dev.hotstate.core.Key;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** A rule as the scripts are told it. Two of one rule are one object until the rule changes. */
final class Terms {
    private final Rule rule;
    private final String nameInKeys;
    private final boolean log;
    private final String kind;
    private final String size;
    private final String span;
    private final String drain;
    private final String label;
    private final Drain bucket;
    private final Outcomes outcomes;

    Terms(Rule rule, MeterRegistry meters) {
        long window = rule.window().toNanos() / 1000;
        this.bucket = Drain.of(rule.limit(), window, rule.burst());
        this.outcomes = new Outcomes(rule.id(), meters);
        boolean leaks = rule.algorithm() == Algorithm.TOKEN_BUCKET;
        this.rule = rule;
        this.nameInKeys = Names.ofRule(rule.id());
        this.log = rule.algorithm() == Algorithm.SLIDING_LOG;
        this.kind = switch (rule.algorithm()) {
            case FIXED_WINDOW -> "f";
            case SLIDING_WINDOW -> "s";
            case SLIDING_LOG -> "l";
            case TOKEN_BUCKET -> "b";
        };
        this.size = Long.toString(rule.burst());
        this.span = Long.toString(leaks ? bucket.token() : window);
        this.drain = Long.toString(leaks ? bucket.drain() : 0);
        // Fixed and sliding windows count alike, so that a rule may change from one to the other.
        this.label = log ? "" : Names.ofSlot(leaks ? 'b' : 'w', rule.id());
    }

    Rule rule() {
        return rule;
    }

    /** The rule as a bucket, whatever its algorithm: it fills to the burst and leaks the limit in a window. */
    Drain bucket() {
        return bucket;
    }

    boolean leases() {
        return rule.lease().isPresent();
    }

    Outcomes outcomes() {
        return outcomes;
    }

    /** A log has a key of its own; all else that a subject has spent is in the one of the subject. */
    boolean isLog() {
        return log;
    }

    Key key(String tag, String subject) {
        String last = Names.ofSubject(subject);
        String first = tag.equals(subject) ? last : Names.ofSubject(tag);
        return log ? LimitKeys.LOG.of(first, nameInKeys, last) : LimitKeys.COUNTER.of(first, last);
    }

    void toAcquire(List<String> args) {
        args.add(kind);
        args.add(size);
        args.add(span);
        args.add(drain);
        args.add(rule.shadow() ? "1" : "0");
        args.add(label);
    }

    void toPeek(List<String> args) {
        args.add(kind);
        args.add(size);
        args.add(span);
        args.add(drain);
        args.add(label);
    }

    void toRefund(List<String> args, String units, String stamp) {
        args.add(kind);
        args.add(span);
        args.add(drain);
        args.add(label);
        args.add(units);
        args.add(stamp);
    }
}
