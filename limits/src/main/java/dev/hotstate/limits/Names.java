package dev.hotstate.limits;

import dev.hotstate.core.ShortName;

/** How tags, rules and subjects of any length stand in a key. */
final class Names {
    /** Of a subject, and of a tag, which often is the subject. */
    static final int MAX_SUBJECT = 15;

    static final int MAX_RULE = 18;

    private static final int SUBJECT_HASH = 14;
    private static final int RULE_HASH = 10;

    private Names() {}

    static String ofSubject(String subject) {
        return ShortName.of(subject, MAX_SUBJECT, SUBJECT_HASH);
    }

    /** A long rule keeps its beginning, so that a person knows it. Rules are few: 60 bits tell them apart. */
    static String ofRule(String id) {
        return ShortName.of(id, MAX_RULE, RULE_HASH);
    }
}
