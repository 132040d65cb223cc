package dev.hotstate.monitors.check;

import dev.hotstate.core.Durations;
import dev.hotstate.monitors.check.Subject.Kind;
import dev.hotstate.monitors.check.Subject.Step;
import dev.hotstate.monitors.check.Value.Bool;
import dev.hotstate.monitors.check.Value.Many;
import dev.hotstate.monitors.check.Value.Num;
import dev.hotstate.monitors.check.Value.Range;
import dev.hotstate.monitors.check.Value.Span;
import dev.hotstate.monitors.check.Value.Text;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads one assertion from left to right:
 *
 * <pre>
 * assertion = ["not"] subject operator value
 * subject   = status | latency | body | json(path) | header(name) | certificate.days_left | dns.answers
 * operator  = == | != | &lt; | &lt;= | &gt; | &gt;= | ["not"] (in | contains | matches)
 * value     = literal | literal..literal | [literal, …]
 * literal   = "text" | 'text' | 12 | 1.5 | 500ms | true | false | null
 * </pre>
 *
 * In a text, a backslash stands before a quote, before itself, and in {@code \n \r \t}; before anything else it stands
 * for itself, so that {@code "\d+"} is the regular expression that it looks like.
 */
final class AssertionParser {
    /** The deepest path and the longest list that one may write. */
    private static final int MOST = 100;

    private static final int MOST_DIGITS = 30;

    private final TextCursor in;

    private AssertionParser(String text) {
        this.in = new TextCursor(text);
    }

    /** @throws IllegalArgumentException that names the column */
    static Sentence parse(String text) {
        return new AssertionParser(text).sentence();
    }

    private Sentence sentence() {
        boolean negated = skipNot();
        Subject subject = subject();
        negated ^= skipNot();
        in.skipSpaces();
        int operatorAt = in.at();
        Operator operator = operator();
        in.skipSpaces();
        int valueAt = in.at();
        Value value = value();
        in.skipSpaces();
        if (!in.isAtEnd()) {
            throw in.expected("the end");
        }
        SentenceRules.problem(subject.kind(), operator, value)
                .ifPresent(problem -> refuse(problem, operatorAt, valueAt));
        return new Sentence(negated, subject, operator, value);
    }

    private static void refuse(SentenceRules.Problem problem, int operatorAt, int valueAt) {
        int column = 1 + (problem.ofOperator() ? operatorAt : valueAt);
        throw new IllegalArgumentException(problem.text() + " at column " + column);
    }

    /** "not" belongs to the sentence, and an operator must still follow, so that "not" is never the last word. */
    private boolean skipNot() {
        in.skipSpaces();
        int start = in.at();
        if (in.word().equals("not")) {
            return true;
        }
        in.back(start);
        return false;
    }

    private Subject subject() {
        in.skipSpaces();
        int start = in.at();
        Optional<Kind> kind = Kind.of(in.word());
        if (kind.isEmpty()) {
            in.back(start);
            throw in.expected("status, latency, body, json(…), header(…), certificate.days_left or dns.answers");
        }
        if (!kind.get().hasPath()) {
            return new Subject(kind.get(), List.of());
        }
        in.skip('(');
        List<Step> path = kind.get() == Kind.JSON ? path() : List.of(headerName());
        in.skip(')');
        return new Subject(kind.get(), path);
    }

    private List<Step> path() {
        List<Step> path = new ArrayList<>();
        if (skipRoot()) {
            return path;
        }
        do {
            path.add(in.peek() == '[' ? bracketed() : plain("a path such as data.items[0]"));
            if (path.size() > MOST) {
                throw in.expected("at most " + MOST + " steps");
            }
        } while (in.skipIf('.') || in.peek() == '[');
        return path;
    }

    /** Skips a leading {@code $}, and says whether nothing follows it. */
    private boolean skipRoot() {
        if (!in.startsWith("$") || ").[".indexOf(in.peek(1)) < 0) {
            return false;
        }
        in.move(1);
        return !in.skipIf('.') && in.peek() != '[';
    }

    private Step bracketed() {
        in.skip('[');
        Step step = TextCursor.isQuote(in.peek()) ? Step.member(in.quoted()) : Step.element(index());
        in.skip(']');
        return step;
    }

    private int index() {
        int start = in.at();
        while (TextCursor.isDigit(in.peek()) && in.at() - start < 9) {
            in.move(1);
        }
        if (in.at() == start) {
            throw in.expected("an index or a name in quotes");
        }
        return Integer.parseInt(in.since(start));
    }

    private Step headerName() {
        Step name = plain("a header's name");
        return Step.member(name.name().toLowerCase(Locale.ROOT));
    }

    private Step plain(String what) {
        int start = in.at();
        while (!in.isAtEnd() && Step.isPlain(in.peek())) {
            in.move(1);
        }
        if (in.at() == start) {
            throw in.expected(what);
        }
        return Step.member(in.since(start));
    }

    private Operator operator() {
        Optional<Operator> sign = Operator.signAt(in.text(), in.at());
        if (sign.isPresent()) {
            in.move(sign.get().length());
            return sign.get();
        }
        int start = in.at();
        return Operator.word(in.word()).orElseThrow(() -> {
            in.back(start);
            return in.expected("an operator (== != < <= > >= in contains matches)");
        });
    }

    private Value value() {
        return in.peek() == '[' ? list() : literalOrRange();
    }

    private Value list() {
        in.skip('[');
        in.skipSpaces();
        List<Value> values = new ArrayList<>();
        while (in.peek() != ']') {
            if (!values.isEmpty()) {
                in.skip(',');
                in.skipSpaces();
            }
            values.add(literal());
            in.skipSpaces();
            if (values.size() > MOST) {
                throw in.expected("at most " + MOST + " values");
            }
        }
        in.skip(']');
        return new Many(values);
    }

    private Value literalOrRange() {
        Value low = literal();
        if (!in.startsWith("..")) {
            return low;
        }
        in.move(2);
        return new Range(low, literal());
    }

    private Value literal() {
        if (TextCursor.isQuote(in.peek())) {
            return new Text(in.quoted());
        }
        if (TextCursor.isDigit(in.peek()) || in.peek() == '-') {
            return number();
        }
        int start = in.at();
        return switch (in.word()) {
            case "true" -> new Bool(true);
            case "false" -> new Bool(false);
            case "null" -> Value.NONE;
            default -> {
                in.back(start);
                throw in.expected("a value");
            }
        };
    }

    private Value number() {
        int start = in.at();
        in.skipIf('-');
        digits();
        if (in.peek() == '.' && TextCursor.isDigit(in.peek(1))) {
            in.move(1);
            digits();
        }
        String number = in.since(start);
        String unit = in.letters();
        if (unit.isEmpty()) {
            return new Num(new BigDecimal(number));
        }
        try {
            return new Span(Durations.parse(in.since(start)));
        } catch (IllegalArgumentException e) {
            in.back(start);
            throw in.expected("a number or a duration such as 500ms");
        }
    }

    private void digits() {
        int start = in.at();
        while (TextCursor.isDigit(in.peek())) {
            in.move(1);
        }
        if (in.at() == start || in.at() - start > MOST_DIGITS) {
            throw in.expected(in.at() == start ? "a digit" : "at most " + MOST_DIGITS + " digits");
        }
    }
}
