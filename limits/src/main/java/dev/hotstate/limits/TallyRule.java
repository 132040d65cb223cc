package dev.hotstate.limits;

/** How often one rule allowed, denied, and would have denied were it not in shadow. */
record TallyRule(long allowed, long denied, long shadowDenied) {

    static final TallyRule NONE = new TallyRule(0, 0, 0);

    Rates.Point perSecond() {
        return perSecond(NONE, 0);
    }

    /** Together with a share of what came before. */
    Rates.Point perSecond(TallyRule before, double share) {
        double seconds = Rates.STEP.toSeconds();
        return new Rates.Point(
                (allowed + share * before.allowed) / seconds,
                (denied + share * before.denied) / seconds,
                (shadowDenied + share * before.shadowDenied) / seconds);
    }
}
