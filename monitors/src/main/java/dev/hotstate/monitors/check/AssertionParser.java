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

    private final String text;
    private int at;

    private AssertionParser(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException that names the column */
    static Sentence parse(String text) {
        return new AssertionParser(text).sentence();
    }

    private Sentence sentence() {
        boolean negated = skipNot();
        Subject subject = subject();
        negated ^= skipNot();
        skipSpaces();
        int operatorAt = at;
        Operator operator = operator();
        skipSpaces();
        int valueAt = at;
        Value value = value();
        skipSpaces();
        if (at < text.length()) {
            throw expected("the end");
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
        skipSpaces();
        int start = at;
        if (word().equals("not")) {
            return true;
        }
        at = start;
        return false;
    }

    private Subject subject() {
        skipSpaces();
        int start = at;
        Optional<Kind> kind = Kind.of(word());
        if (kind.isEmpty()) {
            at = start;
            throw expected("status, latency, body, json(…), header(…), certificate.days_left or dns.answers");
        }
        if (!kind.get().hasPath()) {
            return new Subject(kind.get(), List.of());
        }
        skip('(');
        List<Step> path = kind.get() == Kind.JSON ? path() : List.of(headerName());
        skip(')');
        return new Subject(kind.get(), path);
    }

    private List<Step> path() {
        List<Step> path = new ArrayList<>();
        if (skipRoot()) {
            return path;
        }
        do {
            path.add(peek() == '[' ? bracketed() : plain("a path such as data.items[0]"));
            if (path.size() > MOST) {
                throw expected("at most " + MOST + " steps");
            }
        } while (skipIf('.') || peek() == '[');
        return path;
    }

    /** Skips a leading {@code $}, and says whether nothing follows it. */
    private boolean skipRoot() {
        if (!text.startsWith("$", at) || (at + 1 < text.length() && ").[".indexOf(text.charAt(at + 1)) < 0)) {
            return false;
        }
        at++;
        return !skipIf('.') && peek() != '[';
    }

    private Step bracketed() {
        skip('[');
        Step step = isQuote(peek()) ? Step.member(quoted()) : Step.element(index());
        skip(']');
        return step;
    }

    private int index() {
        int start = at;
        while (isDigit(peek()) && at - start < 9) {
            at++;
        }
        if (at == start) {
            throw expected("an index or a name in quotes");
        }
        return Integer.parseInt(text.substring(start, at));
    }

    private Step headerName() {
        Step name = plain("a header's name");
        return Step.member(name.name().toLowerCase(Locale.ROOT));
    }

    private Step plain(String what) {
        int start = at;
        while (at < text.length() && Step.isPlain(peek())) {
            at++;
        }
        if (at == start) {
            throw expected(what);
        }
        return Step.member(text.substring(start, at));
    }

    private Operator operator() {
        Optional<Operator> sign = Operator.signAt(text, at);
        if (sign.isPresent()) {
            at += sign.get().length();
            return sign.get();
        }
        int start = at;
        return Operator.word(word()).orElseThrow(() -> {
            at = start;
            return expected("an operator (== != < <= > >= in contains matches)");
        });
    }

    private Value value() {
        return peek() == '[' ? list() : literalOrRange();
    }

    private Value list() {
        skip('[');
        skipSpaces();
        List<Value> values = new ArrayList<>();
        while (peek() != ']') {
            if (!values.isEmpty()) {
                skip(',');
                skipSpaces();
            }
            values.add(literal());
            skipSpaces();
            if (values.size() > MOST) {
                throw expected("at most " + MOST + " values");
            }
        }
        skip(']');
        return new Many(values);
    }

    private Value literalOrRange() {
        Value low = literal();
        if (!text.startsWith("..", at)) {
            return low;
        }
        at += 2;
        return new Range(low, literal());
    }

    private Value literal() {
        if (isQuote(peek())) {
            return new Text(quoted());
        }
        if (isDigit(peek()) || peek() == '-') {
            return number();
        }
        int start = at;
        return switch (word()) {
            case "true" -> new Bool(true);
            case "false" -> new Bool(false);
            case "null" -> Value.NONE;
            default -> {
                at = start;
                throw expected("a value");
            }
        };
    }

    private Value number() {
        int start = at;
        skipIf('-');
        digits();
        if (peek() == '.' && at + 1 < text.length() && isDigit(text.charAt(at + 1))) {
            at++;
            digits();
        }
        int end = at;
        String unit = letters();
        if (unit.isEmpty()) {
            return new Num(new BigDecimal(text.substring(start, end)));
        }
        try {
            return new Span(Durations.parse(text.substring(start, at)));
        } catch (IllegalArgumentException e) {
            at = start;
            throw expected("a number or a duration such as 500ms");
        }
    }

    private void digits() {
        int start = at;
        while (isDigit(peek())) {
            at++;
        }
        if (at == start || at - start > MOST_DIGITS) {
            throw expected(at == start ? "a digit" : "at most " + MOST_DIGITS + " digits");
        }
    }

    private String quoted() {
        int start = at;
        char quote = text.charAt(at++);
        var value = new StringBuilder();
        while (at < text.length() && peek() != quote) {
            value.append(character(quote));
        }
        if (at == text.length()) {
            throw new IllegalArgumentException("the text that begins at column " + (start + 1) + " has no end");
        }
        at++;
        return value.toString();
    }

    private String character(char quote) {
        char c = text.charAt(at++);
        if (c != '\\' || at == text.length()) {
            return String.valueOf(c);
        }
        char escaped = text.charAt(at++);
        return switch (escaped) {
            case 'n' -> "\n";
            case 'r' -> "\r";
            case 't' -> "\t";
            case '\\' -> "\\";
            default -> escaped == quote ? String.valueOf(quote) : "\\" + escaped;
        };
    }

    private String word() {
        int start = at;
        while (Character.isLetter(peek()) || peek() == '_' || (peek() == '.' && at > start)) {
            at++;
        }
        return text.substring(start, at);
    }

    private String letters() {
        int start = at;
        while (Character.isLetter(peek())) {
            at++;
        }
        return text.substring(start, at);
    }

    private void skipSpaces() {
        while (Character.isWhitespace(peek())) {
            at++;
        }
    }

    private void skip(char c) {
        if (!skipIf(c)) {
            throw expected("'" + c + "'");
        }
    }

    private boolean skipIf(char c) {
        boolean there = peek() == c && at < text.length();
        at += there ? 1 : 0;
        return there;
    }

    /** The next character; at the end one that is no part of the language. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private static boolean isQuote(char c) {
        return c == '"' || c == '\'';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private IllegalArgumentException expected(String what) {
        return new IllegalArgumentException("expected " + what + " at column " + (at + 1) + ", found " + found());
    }

    private String found() {
        if (at >= text.length()) {
            return "end";
        }
        int end = at + 1;
        while (end < text.length() && Character.isLetterOrDigit(text.charAt(at)) && isWordPart(text.charAt(end))) {
            end++;
        }
        return "'" + Quoted.excerpt(text.substring(at, end), 20) + "'";
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
