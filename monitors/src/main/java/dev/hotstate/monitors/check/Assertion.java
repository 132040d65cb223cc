package dev.hotstate.monitors.check;

import java.util.ArrayList;
import java.util.List;

/**
 * One sentence that must hold of an answer, such as {@code status == 200}.
 *
 * <ul>
 *   <li>{@code status in 200..299}, {@code latency < 500ms}, {@code certificate.days_left > 14}
 *   <li>{@code body contains "ok"}, {@code body not matches "(?i)error"}: {@code matches} finds the expression anywhere
 *   <li>{@code json(data.items[0].ok) == true}; what is not there is {@code null}, as it is of {@code header(content-type)}
 *   <li>{@code dns.answers contains "10.0.0.1"}, {@code dns.answers == ["a", "b"]} in any order
 * </ul>
 */
public final class Assertion {
    private static final int LONGEST = 1024;

    private final String text;
    private final Sentence sentence;

    private Assertion(String text, Sentence sentence) {
        this.text = text;
        this.sentence = sentence;
    }

    /** @throws IllegalArgumentException with the place in the text where it is not understood */
    public static Assertion parse(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("longer than " + LONGEST + " characters");
        }
        return new Assertion(text, AssertionParser.parse(text));
    }

    /** @throws IllegalArgumentException that names the first bad one and the place in it: {@code assertions[0]: expected …} */
    public static List<Assertion> parseAll(List<String> texts) {
        List<Assertion> assertions = new ArrayList<>(texts.size());
        for (String text : texts) {
            try {
                assertions.add(parse(text));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("assertions[" + assertions.size() + "]: " + e.getMessage(), e);
            }
        }
        return assertions;
    }

    Sentence sentence() {
        return sentence;
    }

    Subject.Kind subject() {
        return sentence.subject().kind();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Assertion assertion && assertion.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** As it was written. */
    @Override
    public String toString() {
        return text;
    }
}
