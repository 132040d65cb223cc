package dev.hotstate.monitors.check;

/** One sentence that must hold of an answer, such as {@code status == 200}. */
public final class Assertion {
    private final String text;

    private Assertion(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException with the place in the text where it is not understood */
    public static Assertion parse(String text) {
        return new Assertion(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
