package dev.hotstate.limits;

import dev.hotstate.core.ShortName;

/** How tags, rules and subjects of any length stand in a key. */
final class Names {
    /** Of a subject, and of a tag, which often is the subject. */
    static final int MAX_SUBJECT = 15;

    static final int MAX_RULE = 18;

    private static final int SUBJECT_HASH = 14;
    private static final int RULE_HASH = 10;
    /** What a slot of a subject's key has for the rule's name; acquire.lua knows it. */
    private static final int LABEL = 10;

    private static final int LABEL_HASH = 9;

    private Names() {}

    static String ofSubject(String subject) {
        return ShortName.of(subject, MAX_SUBJECT, SUBJECT_HASH);
    }

    /** A long rule keeps its beginning, so that a person knows it. Rules are few: 60 bits tell them apart. */
    static String ofRule(String id) {
        return ShortName.of(id, MAX_RULE, RULE_HASH);
    }

    /** The rule within a subject's key, always of one length. Of a thousand rules two meet with a chance of 3 in 10^11. */
    static String ofSlot(char kind, String id) {
        String name = ShortName.of(id, LABEL, LABEL_HASH);
        return kind + name + " ".repeat(LABEL - name.length());
    }
}
