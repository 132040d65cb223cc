package dev.hotstate.limits;

/** Where the rules come from. Asked at every call, so it answers from memory; a call keeps to what it was told. */
@FunctionalInterface
public interface RuleSource {
    Rules current();

    /** Rules that stay as they are. */
    static RuleSource of(Rule... rules) {
        Rules fixed = Rules.of(rules);
        return () -> fixed;
    }
}
