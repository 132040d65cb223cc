package dev.hotstate.monitors.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.hotstate.monitors.check.Subject.Kind;
import dev.hotstate.monitors.check.Subject.Step;
import dev.hotstate.monitors.check.Value.Bool;
import dev.hotstate.monitors.check.Value.Many;
import dev.hotstate.monitors.check.Value.Num;
import dev.hotstate.monitors.check.Value.Range;
import dev.hotstate.monitors.check.Value.Span;
import dev.hotstate.monitors.check.Value.Text;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class AssertionPropertyTest {

    @Property(tries = 2000)
    void whatIsPrintedIsReadBackAsTheSame(@ForAll("sentences") Sentence sentence) {
        assertThat(AssertionParser.parse(sentence.toString())).isEqualTo(sentence);
    }

    @Property(tries = 2000)
    void anyTextIsUnderstoodOrRefusedWithItsPlace(@ForAll("scraps") String text) {
        Throwable thrown = catchThrowable(() -> AssertionParser.parse(text));
        if (thrown != null) {
            assertThat(thrown).isInstanceOf(IllegalArgumentException.class).hasMessageMatching("(?s).*column \\d+.*");
        }
    }

    @Provide
    Arbitrary<Sentence> sentences() {
        return Combinators.combine(Arbitraries.of(true, false), subjects(), Arbitraries.of(Operator.values()), values())
                .as(Sentence::new)
                .filter(sentence -> SentenceRules.problem(
                                sentence.subject().kind(), sentence.operator(), sentence.value())
                        .isEmpty());
    }

    /** Pieces of the language in any order, with noise between. */
    @Provide
    Arbitrary<String> scraps() {
        Arbitrary<String> piece = Arbitraries.oneOf(
                Arbitraries.of(
                        "status", "json(", "header(x)", "dns.answers", ")", "[", "]", "\"", "'", "\\", "..", ","),
                Arbitraries.of("==", "<", "in", "not ", "contains", "matches", "1", "-", "5ms", "null", "$", ".", " "),
                Arbitraries.strings().ofMaxLength(4));
        return piece.list().ofMaxSize(12).map(pieces -> String.join("", pieces));
    }

    private static Arbitrary<Subject> subjects() {
        Arbitrary<Step> step = Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(8).map(Step::member),
                Arbitraries.integers().between(0, 99_999).map(Step::element));
        Arbitrary<Step> header = Arbitraries.strings()
                .alpha()
                .ofMinLength(1)
                .ofMaxLength(12)
                .map(name -> Step.member(name.toLowerCase(Locale.ROOT)));
        return Arbitraries.oneOf(
                Arbitraries.of(Kind.STATUS, Kind.LATENCY, Kind.BODY, Kind.DAYS_LEFT, Kind.ANSWERS)
                        .map(kind -> new Subject(kind, List.of())),
                step.list().ofMaxSize(5).map(path -> new Subject(Kind.JSON, path)),
                header.map(name -> new Subject(Kind.HEADER, List.of(name))));
    }

    private static Arbitrary<Value> values() {
        Arbitrary<Value> number = Arbitraries.longs()
                .between(-1_000_000_000L, 1_000_000_000L)
                .flatMap(unscaled -> Arbitraries.integers()
                        .between(0, 5)
                        .map(scale -> new Num(BigDecimal.valueOf(unscaled, scale))));
        Arbitrary<Value> span =
                Arbitraries.longs().between(0, 1_000_000_000L).map(millis -> new Span(Duration.ofMillis(millis)));
        Arbitrary<Value> text = Arbitraries.strings().ofMaxLength(12).map(Text::new);
        Arbitrary<Value> other = Arbitraries.of(new Bool(true), new Bool(false), Value.NONE);
        Arbitrary<Value> one = Arbitraries.oneOf(number, span, text, other);
        return Arbitraries.oneOf(
                one,
                one.list().ofMaxSize(4).map(Many::new),
                Combinators.combine(number, number).as(Range::new),
                Combinators.combine(span, span).as(Range::new));
    }
}
