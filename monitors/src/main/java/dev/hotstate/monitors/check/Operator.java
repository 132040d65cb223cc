package dev.hotstate.monitors.check;

import java.util.Arrays;
import java.util.Optional;

/** How a subject and a value are compared. */
enum Operator {
    // A longer sign comes before the one that it begins with.
    EQUAL("=="),
    UNEQUAL("!="),
    AT_MOST("<="),
    LESS("<"),
    AT_LEAST(">="),
    MORE(">"),
    IN("in"),
    CONTAINS("contains"),
    MATCHES("matches");

    private final String sign;

    Operator(String sign) {
        this.sign = sign;
    }

    static Optional<Operator> signAt(String text, int at) {
        return Arrays.stream(values())
                .filter(operator -> !operator.isWord() && text.startsWith(operator.sign, at))
                .findFirst();
    }

    static Optional<Operator> word(String word) {
        return Arrays.stream(values())
                .filter(operator -> operator.isWord() && operator.sign.equals(word))
                .findFirst();
    }

    boolean isWord() {
        return Character.isLetter(sign.charAt(0));
    }

    boolean isOrder() {
        return this == LESS || this == AT_MOST || this == MORE || this == AT_LEAST;
    }

    int length() {
        return sign.length();
    }

    @Override
    public String toString() {
        return sign;
    }
}
