package dev.hotstate.limits;

import dev.hotstate.core.Key;

/** One check of a call, with the rule that it names and the place of its counter. */
record Target(String tag, Check check, Terms terms) {

    Rule rule() {
        return terms.rule();
    }

    Key key() {
        return terms.key(tag, check.subject());
    }
}
