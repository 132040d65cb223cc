package dev.hotstate.limits;

import dev.hotstate.core.Key;

/** One check of a call: its counter, and the rule that it names as it stands. */
record Target(CounterId counter, Terms terms) {

    Rule rule() {
        return terms.rule();
    }

    String subject() {
        return counter.subject();
    }

    /** Whether a call could ever spend so much. */
    boolean couldFit(long cost) {
        return cost <= rule().capacity();
    }

    /** Whether its counter is in the same key as that of another check of its call. */
    boolean sharesKeyWith(Target other) {
        return !terms.isLog() && !other.terms.isLog() && subject().equals(other.subject());
    }

    Key key() {
        return terms.key(counter.tag(), counter.subject());
    }
}
