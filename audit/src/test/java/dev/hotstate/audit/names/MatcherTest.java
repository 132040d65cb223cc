package dev.hotstate.audit.names;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.audit.schema.Pattern;
import dev.hotstate.audit.schema.Variable;
import dev.hotstate.audit.schema.Variable.Kind;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatcherTest {
    private static final List<String> PATTERNS = List.of(
            "bull:<queue>:<id>",
            "bull:<queue>:meta",
            "bull:<queue>:<id>:logs",
            "{user:<id>}:profile",
            "session_<id>",
            "path/<a>/<b>.txt",
            "a::b",
            "x:<rest>",
            "");
    private static final Matcher MATCHER = new Matcher(PATTERNS.stream()
            .map(pattern -> Pattern.parse(
                    pattern, pattern.endsWith("<rest>") ? List.of(new Variable("rest", Kind.REST, 0)) : List.of()))
            .toList());

    @ParameterizedTest
    @CsvSource({
        "bull:mail:7,bull:<queue>:<id>",
        "bull:mail:meta,bull:<queue>:meta",
        "bull:mail:meta:logs,bull:<queue>:<id>:logs",
        "{user:7}:profile,{user:<id>}:profile",
        "session_abc,session_<id>",
        "path/x/y/z.txt,path/<a>/<b>.txt",
        "a::b,a::b",
        "x:y:z,x:<rest>"
    })
    void aNameFitsTheNarrowestPattern(String name, String pattern) {
        assertThat(PATTERNS.get(MATCHER.match(name.getBytes(UTF_8)))).isEqualTo(pattern);
    }

    @Test
    void theKeyWithoutANameFitsTheEmptyPattern() {
        assertThat(PATTERNS.get(MATCHER.match(new byte[0]))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"bull", "bull:mail", "bull::7", "bull:mail:7:", "{user:}:profile", "session_", "x:", "x", "a:b", "A::b"
    })
    void whatFitsNoneIsNone(String name) {
        assertThat(MATCHER.match(name.getBytes(UTF_8))).isEqualTo(Matcher.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "ID,a.B_c-9,a b",
        "DIGITS,0123,12a",
        "HEX,00ffAA,0g",
        "TEXT,a b%3Ac,a%3",
        "UUID,123e4567-e89b-12d3-a456-426614174000,123e4567e89b12d3a456426614174000",
        "ANY,a b{},"
    })
    void aKindTakesItsOwnBytes(Kind kind, String good, String bad) {
        Matcher matcher = new Matcher(List.of(Pattern.parse("k:<v>", List.of(new Variable("v", kind, 40)))));
        assertThat(matcher.match(("k:" + good).getBytes(UTF_8))).isZero();
        assertThat(matcher.match(("k:" + (bad == null ? "" : bad)).getBytes(UTF_8)))
                .isEqualTo(Matcher.NONE);
        assertThat(matcher.match(("k:" + "1".repeat(41)).getBytes(UTF_8))).isEqualTo(Matcher.NONE);
    }

    @Test
    void aPatternThatCannotBeReadIsRefused() {
        assertThatThrownBy(() -> Pattern.parse("a:<b", List.of())).hasMessageContaining("without its >");
        assertThatThrownBy(() -> Pattern.parse("<a>:<a>", List.of())).hasMessageContaining("twice");
        assertThatThrownBy(() -> Pattern.parse("<a><b>", List.of())).hasMessageContaining("nothing stands between");
        assertThatThrownBy(() -> Pattern.parse("a", List.of(Variable.any("b"))))
                .hasMessageContaining("not in the pattern");
        assertThatThrownBy(() -> Pattern.parse("<a>:b", List.of(new Variable("a", Kind.REST, 0))))
                .hasMessageContaining("must be last");
    }

    /** Whatever bytes names have, each fits one of the patterns that are drafted from them. */
    @Property(tries = 300)
    void everyNameFitsWhatIsDraftedFromIt(@ForAll("names") Set<String> names) {
        List<byte[]> bytes = names.stream().map(name -> name.getBytes(UTF_8)).toList();
        List<Shape> shapes = Draft.of(bytes);
        Matcher matcher = new Matcher(shapes.stream().map(Shape::parsed).toList());
        assertThat(bytes).allSatisfy(name -> assertThat(matcher.match(name)).isNotEqualTo(Matcher.NONE));
        assertThat(shapes.stream().map(Shape::pattern)).doesNotHaveDuplicates();
    }

    @Provide
    Arbitrary<Set<String>> names() {
        Arbitrary<String> word = Arbitraries.of(
                "user",
                "order",
                "a",
                "{a}",
                "{b",
                "c}",
                "",
                "1",
                "22",
                "usr_1",
                "usr_2",
                "usr_3",
                "x.y",
                "p/q",
                "<",
                ">",
                "\\",
                "\n",
                "é",
                "{}",
                "}",
                "deadbeef01",
                "123e4567-e89b-12d3-a456-426614174000");
        return word.list()
                .ofMinSize(1)
                .ofMaxSize(5)
                .map(words -> String.join(":", words))
                .set()
                .ofMinSize(1)
                .ofMaxSize(60);
    }

    @Test
    void wordsThatGoOnInTheSameWayAreOneVariable() {
        assertThat(patterns("q:mail:wait", "q:mail:done", "q:mail:1", "q:bill:wait", "q:bill:done", "q:bill:2"))
                .containsExactly("q:<name>:<id>", "q:<name>:done", "q:<name>:wait");
        assertThat(patterns("app:user:1", "app:user:2", "app:order:1", "app:order:2"))
                .as("two kinds of things are no two things of a kind")
                .containsExactly("app:order:<id>", "app:user:<id>");
    }

    @Test
    void idsAreToldFromWords() {
        assertThat(patterns("s:usr_1", "s:usr_2", "s:usr_3", "s:v1", "s:v2", "s:main"))
                .containsExactly("s:<id>", "s:main", "s:v1", "s:v2");
        assertThat(patterns("{user:1}:a", "{user:2}:a", "{user:3}:b"))
                .containsExactly("{user:<id>}:a", "{user:<id>}:b");
        assertThat(Draft.of(Stream.of("k:123e4567-e89b-12d3-a456-426614174000")
                                .map(name -> name.getBytes(UTF_8))
                                .toList())
                        .getFirst()
                        .variables())
                .containsExactly(new Variable("id", Kind.UUID, 0));
    }

    private static List<String> patterns(String... names) {
        return Draft.of(Stream.of(names).map(name -> name.getBytes(UTF_8)).toList()).stream()
                .map(Shape::pattern)
                .toList();
    }
}
