package dev.hotstate.monitors.check;

import java.util.regex.Pattern;

/**
 * A text that a regular expression cannot read forever. Some expressions look at a text of n characters 2^n times
 * ({@code (a+)+$}), and the only thing that such a match does all the time is to ask for the next character.
 */
final class PatientText implements CharSequence {
    /** So rarely is the clock asked that it costs nothing, and yet within some microseconds. */
    private static final int READS_A_LOOK = 4096;

    private final CharSequence text;
    private final Deadline deadline;
    private int reads;

    private PatientText(CharSequence text, Deadline deadline) {
        this.text = text;
        this.deadline = deadline;
    }

    static boolean finds(Pattern pattern, String text, Deadline deadline) throws CheckFailedException {
        try {
            return pattern.matcher(new PatientText(text, deadline)).find();
        } catch (OutOfPatience e) {
            throw deadline.missed("matching " + Quoted.excerpt(pattern.pattern()));
        } catch (StackOverflowError e) {
            // The JDK's matcher recurses for some alternatives, once for each character.
            throw new CheckFailedException(
                    Failure.TARGET,
                    "the expression " + Quoted.excerpt(pattern.pattern()) + " is too deep for this text");
        }
    }

    @Override
    public char charAt(int index) {
        if (++reads % READS_A_LOOK == 0
                && (deadline.hasPassed() || Thread.currentThread().isInterrupted())) {
            throw new OutOfPatience();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return new PatientText(text.subSequence(start, end), deadline);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private static final class OutOfPatience extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutOfPatience() {
            super(null, null, false, false);
        }
    }
}
