package dev.hotstate.drivers;

/** How candidates are put in order where distance alone does not decide. Yours may replace {@link WeightedScoring}. */
@FunctionalInterface
public interface Scoring {

    /** The greater, the sooner. */
    Scored score(Candidate candidate, Search search);
}
