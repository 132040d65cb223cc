package dev.hotstate.monitors.check;

import dev.hotstate.monitors.check.Value.Many;
import dev.hotstate.monitors.check.Value.Num;
import dev.hotstate.monitors.check.Value.Range;
import dev.hotstate.monitors.check.Value.Span;
import dev.hotstate.monitors.check.Value.Text;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** What the operators mean. Values of different kinds are unequal and have no order. */
final class Comparison {
    private final Deadline deadline;

    Comparison(Deadline deadline) {
        this.deadline = deadline;
    }

    /** Whether the sentence without its "not" holds. */
    boolean holds(Sentence sentence, Value actual) throws CheckFailedException {
        Value value = sentence.value();
        return switch (sentence.operator()) {
            case EQUAL -> equal(sentence.subject(), actual, value);
            case UNEQUAL -> !equal(sentence.subject(), actual, value);
            case LESS -> isOrdered(actual, value, -1, -1);
            case AT_MOST -> isOrdered(actual, value, -1, 0);
            case MORE -> isOrdered(actual, value, 1, 1);
            case AT_LEAST -> isOrdered(actual, value, 0, 1);
            case IN -> isIn(actual, value);
            case CONTAINS -> contains(actual, value);
            case MATCHES -> matches(actual, Pattern.compile(((Text) value).text()));
        };
    }

    private static boolean equal(Subject subject, Value actual, Value value) {
        if (subject.kind() != Subject.Kind.ANSWERS) {
            return equal(actual, value);
        }
        Many wanted = value instanceof Many many ? many : new Many(List.of(value));
        return sorted(actual).equals(sorted(wanted));
    }

    private static List<String> sorted(Value many) {
        return ((Many) many).values().stream().map(Value::toString).sorted().toList();
    }

    private static boolean equal(Value a, Value b) {
        if (a instanceof Many left && b instanceof Many right) {
            return equal(left.values(), right.values());
        }
        // 1 and 1.0 are the same number, though not the same BigDecimal.
        return a instanceof Num && b instanceof Num ? compare(a, b).getAsInt() == 0 : a.equals(b);
    }

    private static boolean equal(List<Value> left, List<Value> right) {
        boolean all = left.size() == right.size();
        for (int i = 0; all && i < left.size(); i++) {
            all = equal(left.get(i), right.get(i));
        }
        return all;
    }

    private static boolean isOrdered(Value actual, Value value, int least, int most) {
        OptionalInt order = compare(actual, value);
        return order.isPresent() && order.getAsInt() >= least && order.getAsInt() <= most;
    }

    /** -1, 0 or 1; empty where there is no order. */
    private static OptionalInt compare(Value a, Value b) {
        if (a instanceof Num left && b instanceof Num right) {
            return OptionalInt.of(left.number().compareTo(right.number()));
        }
        if (a instanceof Span left && b instanceof Span right) {
            return OptionalInt.of(Integer.signum(left.duration().compareTo(right.duration())));
        }
        return OptionalInt.empty();
    }

    private static boolean isIn(Value actual, Value value) {
        return switch (value) {
            case Range range -> isOrdered(actual, range.low(), 0, 1) && isOrdered(actual, range.high(), -1, 0);
            case Many many -> many.values().stream().anyMatch(one -> equal(actual, one));
            default -> false;
        };
    }

    private static boolean contains(Value actual, Value value) {
        return switch (actual) {
            case Text text -> value instanceof Text part && text.text().contains(part.text());
            case Many many -> many.values().stream().anyMatch(one -> equal(one, value));
            default -> false;
        };
    }

    private boolean matches(Value actual, Pattern pattern) throws CheckFailedException {
        if (actual instanceof Many many) {
            for (Value one : many.values()) {
                if (matches(one, pattern)) {
                    return true;
                }
            }
            return false;
        }
        return actual != Value.NONE && PatientText.finds(pattern, text(actual), deadline);
    }

    private static String text(Value value) {
        return value instanceof Text text ? text.text() : value.toString();
    }
}
