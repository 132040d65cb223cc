package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFamilyTest {
    private static final KeyFamily STATUS =
            declared("{<partition>}:monitor:status:<id>", family -> family.id("id", 12));
    private static final KeyFamily NOTE = declared("{<partition>}:note:<text>", family -> family.text("text", 60));

    @Test
    void valuesStandInThePlacesOfTheVariables() {
        Key key = STATUS.of(new Partition("m0"), "web-1");

        assertThat(key.name()).isEqualTo("{m0}:monitor:status:web-1");
        assertThat(key.tag()).isEqualTo("m0");
        assertThat(key.family()).isSameAs(STATUS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a:b", "{a}", "a}", "ä", "a b", "a*", "a%41", "thirteenbytes", "\uD800", "\n", "\0"})
    void anIdThatIsNoneIsRefused(String hostile) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> STATUS.of("m0", hostile))
                .withMessageContaining("<id> must be 1 to 12 of A-Z a-z 0-9 . _ -");
        assertThatIllegalArgumentException().isThrownBy(() -> STATUS.of("tag}:{" + hostile, "web-1"));
    }

    @Test
    void textIsEncodedWhereItMustBe() {
        assertThat(NOTE.of("m0", "a:b{c}%41 ä*")).hasToString("{m0}:note:a%3Ab%7Bc%7D%2541 %C3%A4*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\uD800", "a\uDC00b", "::::::::::::::::::::::"})
    void textThatIsEmptyOrTooLongOrNoUnicodeIsRefused(String hostile) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NOTE.of("m0", hostile))
                .withMessageContaining("<text> must be 1 to 60 bytes");
    }

    @Property
    void twoTextsNeverMakeOneKey(@ForAll("texts") String one, @ForAll("texts") String other) {
        assertThat(NOTE.of("m0", one).equals(NOTE.of("m0", other))).isEqualTo(one.equals(other));
    }

    @Property
    void aTextCanBeReadBackFromItsKey(@ForAll("texts") String text) {
        String encoded = NOTE.of("m0", text).name().substring("{m0}:note:".length());

        assertThat(encoded).doesNotContain(":", "{", "}").matches("[ -~]+");
        assertThat(java.net.URLDecoder.decode(encoded.replace("+", "%2B"), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo(text);
    }

    /** Few characters, among them those that keys and escapes are made of, so that collisions would be found. */
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings()
                .withChars("%:{}aA4125 ä€*")
                .withChars('\0', '\n')
                .ofMinLength(1)
                .ofMaxLength(6);
    }

    @Test
    void aKeyNeedsJustAsManyValuesAsThereAreVariables() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> STATUS.of("m0"))
                .withMessageContaining("needs a value for <id>");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> STATUS.of("m0", "a", "b"))
                .withMessageContaining("takes 2 values, not 3");
    }

    @Test
    void aFamilyIsCalledByItsLiterals() {
        assertThat(STATUS.name()).isEqualTo("monitor:status");
        assertThat(STATUS.pattern()).isEqualTo("{<partition>}:monitor:status:<id>");
        assertThat(STATUS.glob()).isEqualTo("{*}:monitor:status:*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "name",
                "name:{<partition>}",
                "<partition>:name",
                "{}:name",
                "{<>}:name",
                "{<partition>}",
                "{<partition>}:",
                "{<partition>}::name",
                "{<partition>}name",
                "{<partition>}:{name}",
                "{a}{<partition>}:name",
                "{<partition>}:na*me",
                "{<partition>}:na me",
                "{<partition>}:näme",
                "{<partition>}:name:<other>",
                "{<partition>}:name:<partition>",
                "{<partition>}:name:x<partition>",
                "{partition}:name",
            })
    void aPatternThatIsNoneIsRefused(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> declared(pattern, UnaryOperator.identity()))
                .withMessageStartingWith("key family " + pattern + " is refused: ");
    }

    @Test
    void whatIsMissingIsNamed() {
        refused(
                "it has no lifetime",
                family -> family.owner("test").typically(1, 1).why("w"));
        refused("it has no owner", family -> family.kept("r").typically(1, 1).why("w"));
        refused(
                "it has no typical size",
                family -> family.kept("r").owner("test").why("w"));
        refused("it has no why", family -> family.kept("r").owner("test").typically(1, 1));
        refused(
                "it has no why",
                family -> family.kept("r").owner("test").typically(1, 1).why(" "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyFamily.string("{a}:b")
                        .kept("r")
                        .owner("o")
                        .typically(1, 1)
                        .why("w")
                        .declared())
                .withMessageContaining("it has no example");
    }

    @Test
    void whatIsDeclaredTwiceOrContradictsItselfIsRefused() {
        refused("it declares <p> twice", family -> family.id("p", 2).text("p", 2));
        refused("it has the field f twice", family -> family.field("f", "d").field("f", "e"));
        refused("it has two lifetimes", family -> family.kept("r").expires(Duration.ofDays(1)));
        refused("which is not in the pattern", family -> family.id("unused", 2));
        refused(
                "typically it has 11 elements, but it is bounded to 10",
                family -> family.owner("o").bounded(10).typically(11, 1).why("w"));
    }

    @Test
    void aVariableHasANameAndABoundThatAKeyCanHold() {
        refused("\"a b\" is no name for a variable", family -> family.id("a b", 2));
        for (int bytes : new int[] {Integer.MIN_VALUE, -1, 0, 100, Integer.MAX_VALUE}) {
            refused("<v> may have 1 to 99 bytes, not " + bytes, family -> family.id("v", bytes));
            refused("<v> may have 1 to 99 bytes, not " + bytes, family -> family.text("v", bytes));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "m0:note:a",
                "{m0}:note",
                "{m0}:note:a:b",
                "{}:note:a",
                "{m0}:other:a",
                "{m0}:note:",
                "{m0}:note:%"
            })
    void anExampleThatDoesNotFitIsRefused(String example) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyFamily.string("{<p>}:note:<text>")
                        .id("p", 8)
                        .text("text", 8)
                        .owner("test")
                        .kept("for the test")
                        .typically(1, 1)
                        .why("a test")
                        .example(example)
                        .declared())
                .withMessageContaining("its example \"" + example + "\" does not fit the pattern");
    }

    @Test
    void anExampleHoldsOnlyWhatTheEncodingWrites() {
        for (String impossible : new String[] {"%4", "%zz", "%c3", "%41", "%20", "a%"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> KeyFamily.string("{t}:note:<text>")
                            .text("text", 8)
                            .owner("test")
                            .kept("for the test")
                            .typically(1, 1)
                            .why("a test")
                            .example("{t}:note:" + impossible)
                            .declared());
        }
    }

    @Test
    void fieldsTypicalSizesAndLifetimesCheckThemselves() {
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyFamily.Field("", "d"));
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyFamily.Field("f", " "));
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyFamily.Typical(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyFamily.Typical(1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Lifetime.Expires(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> new Lifetime.Expires(Duration.ofNanos(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Lifetime.Bounded(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Lifetime.Kept(" "));
    }

    private static void refused(String reason, UnaryOperator<KeyFamily.Builder> declaration) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> declaration
                        .apply(KeyFamily.string("{a}:b").example("{a}:b"))
                        .declared())
                .withMessageStartingWith("key family {a}:b is refused: ")
                .withMessageContaining(reason);
    }

    private static KeyFamily declared(String pattern, UnaryOperator<KeyFamily.Builder> variables) {
        String example = pattern.replaceAll("<\\w*>", "x");
        return variables
                .apply(KeyFamily.hash(pattern)
                        .id("partition", 8)
                        .owner("test")
                        .kept("for the test")
                        .typically(1, 10)
                        .example(example)
                        .why("a test"))
                .declared();
    }
}
