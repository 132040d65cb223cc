package dev.hotstate.monitors.check;

/**
 * An assertion, understood.
 *
 * @param negated whether it must not hold
 */
record Sentence(boolean negated, Subject subject, Operator operator, Value value) {

    /** What was to hold, without its subject: {@code == 200}. */
    String expectation() {
        return (negated ? "not " : "") + operator + " " + value;
    }

    @Override
    public String toString() {
        return negated && !operator.isWord()
                ? "not " + subject + " " + operator + " " + value
                : subject + " " + expectation();
    }
}
