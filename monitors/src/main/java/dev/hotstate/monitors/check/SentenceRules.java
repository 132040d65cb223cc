package dev.hotstate.monitors.check;

import dev.hotstate.monitors.check.Subject.Kind;
import dev.hotstate.monitors.check.Subject.Nature;
import dev.hotstate.monitors.check.Value.Many;
import dev.hotstate.monitors.check.Value.Null;
import dev.hotstate.monitors.check.Value.Num;
import dev.hotstate.monitors.check.Value.Range;
import dev.hotstate.monitors.check.Value.Span;
import dev.hotstate.monitors.check.Value.Text;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Which subjects go with which operators and values, so that what can never hold is refused when it is written. */
final class SentenceRules {
    private SentenceRules() {}

    /** @param ofOperator whether it is the operator that does not fit, or else the value */
    record Problem(String text, boolean ofOperator) {}

    static Optional<Problem> problem(Kind kind, Operator operator, Value value) {
        return switch (operator) {
            case EQUAL, UNEQUAL -> unless(isComparable(kind, value), kind + " needs " + kind.nature());
            case LESS, AT_MOST, MORE, AT_LEAST -> order(kind, operator, value);
            case IN -> in(kind, value);
            case CONTAINS -> contains(kind, value);
            case MATCHES -> matches(kind, value);
        };
    }

    private static boolean isComparable(Kind kind, Value value) {
        if (value instanceof Null) {
            return kind == Kind.JSON || kind == Kind.HEADER;
        }
        if (kind.nature() == Nature.LIST && value instanceof Many many) {
            return many.values().stream().allMatch(Text.class::isInstance);
        }
        if (kind == Kind.JSON && value instanceof Many many) {
            return many.values().stream().noneMatch(Span.class::isInstance);
        }
        return isOne(kind.nature(), value);
    }

    private static boolean isOne(Nature nature, Value value) {
        return switch (nature) {
            case NUMBER -> value instanceof Num number && number.isInteger();
            case DURATION -> value instanceof Span;
            case TEXT, LIST -> value instanceof Text;
            case ANY -> !(value instanceof Span || value instanceof Many || value instanceof Range);
        };
    }

    private static Optional<Problem> order(Kind kind, Operator operator, Value value) {
        return switch (kind.nature()) {
            case NUMBER, DURATION -> unless(isOne(kind.nature(), value), kind + " needs " + kind.nature());
            case ANY -> unless(value instanceof Num, operator + " needs a number");
            case TEXT, LIST -> Optional.of(new Problem(kind + " is text and knows no " + operator, true));
        };
    }

    private static Optional<Problem> in(Kind kind, Value value) {
        if (kind.nature() == Nature.LIST) {
            return Optional.of(new Problem(kind + " is a list and knows no in", true));
        }
        boolean fits = switch (value) {
            case Range range -> isOrdered(kind.nature(), range.low()) && isOrdered(kind.nature(), range.high());
            case Many many -> many.values().stream().allMatch(one -> isOne(kind.nature(), one));
            default -> false;
        };
        return unless(fits, "in needs a range such as 200..299 or a list, each " + kind.nature());
    }

    private static boolean isOrdered(Nature nature, Value value) {
        return isOne(nature, value) && (value instanceof Num || value instanceof Span);
    }

    private static Optional<Problem> contains(Kind kind, Value value) {
        return switch (kind.nature()) {
            case TEXT, LIST -> unless(value instanceof Text, "contains needs text in quotes");
            case ANY -> unless(isOne(Nature.ANY, value), "contains needs a value");
            case NUMBER, DURATION -> Optional.of(new Problem(kind + " is no text and knows no contains", true));
        };
    }

    private static Optional<Problem> matches(Kind kind, Value value) {
        if (kind.nature() == Nature.NUMBER || kind.nature() == Nature.DURATION) {
            return Optional.of(new Problem(kind + " is no text and knows no matches", true));
        }
        if (!(value instanceof Text expression)) {
            return Optional.of(new Problem("matches needs a regular expression in quotes", false));
        }
        try {
            Pattern.compile(expression.text());
            return Optional.empty();
        } catch (PatternSyntaxException e) {
            return Optional.of(new Problem("not a regular expression (" + e.getDescription() + ")", false));
        } catch (StackOverflowError e) {
            return Optional.of(new Problem("too deep a regular expression", false));
        }
    }

    private static Optional<Problem> unless(boolean fits, String text) {
        return fits ? Optional.empty() : Optional.of(new Problem(text, false));
    }
}
