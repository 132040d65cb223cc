package dev.hotstate.limits;

/** How often one rule allowed, denied, and would have denied were it not in shadow. */
record TallyRule(long allowed, long denied, long shadowDenied) {

    Rates.Point perSecond() {
        double seconds = Rates.STEP.toSeconds();
        return new Rates.Point(allowed / seconds, denied / seconds, shadowDenied / seconds);
    }
}
