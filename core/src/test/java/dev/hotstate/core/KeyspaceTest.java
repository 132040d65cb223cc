package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyspaceTest {
    private static final String PREFIX = "dev:hotstate";

    @Test
    void everyExampleIsFoundAgain() {
        Keyspace keyspace = Keyspace.of(PREFIX, CoreKeys.SERVICE);

        assertThat(keyspace.families())
                .isNotEmpty()
                .allSatisfy(family -> assertThat(keyspace.find(PREFIX + ":" + family.example()))
                        .containsSame(family));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "dev",
                "dev:hotstate",
                "dev:hotstate:",
                "dev:hotstate{m0}:incarnation",
                "dev:hotstatex:{m0}:incarnation",
                "prod:hotstate:{m0}:incarnation",
                "dev:hotstate:m0:incarnation",
                "dev:hotstate:{}:incarnation",
                "dev:hotstate:{m0:incarnation",
                "dev:hotstate:{m}0}:incarnation",
                "dev:hotstate:{m0}:incarnation:",
                "dev:hotstate:{m0}:incarnation:x",
                "dev:hotstate:{m0}:Incarnation",
                "dev:hotstate:{events}:stream:",
                "dev:hotstate:{events}:stream:sixteen-and-more-bytes",
                "dev:hotstate:{others}:events:system",
                "dev:hotstate:{events}:stream:a b",
            })
    void aKeyThatNobodyDeclaredIsOfNoFamily(String name) {
        assertThat(Keyspace.of(PREFIX, CoreKeys.SERVICE).find(name)).isEmpty();
    }

    /** Any set of families that is admitted tells any two keys apart; any that is refused has a reason. */
    @Property
    void everyKeyMadeMapsBackToExactlyItsFamily(
            @ForAll("patterns") List<String> patterns, @ForAll("values") List<String> values) {
        List<KeyFamily> admitted = new ArrayList<>();
        for (String pattern : new LinkedHashSet<>(patterns)) {
            List<KeyFamily> more = new ArrayList<>(admitted);
            more.add(family("test", pattern));
            try {
                keyspace(more);
                admitted = more;
            } catch (IllegalArgumentException tooAlike) {
                assertThat(tooAlike).hasMessageContaining(pattern);
            }
        }
        Keyspace keyspace = keyspace(admitted);

        for (KeyFamily family : admitted) {
            String[] mine = Arrays.copyOf(
                    values.toArray(String[]::new), family.variables().size());
            String name = keyspace.wholeName(family.of(mine));
            assertThat(keyspace.find(name)).containsSame(family);
            assertThat(admitted.stream()
                            .filter(other ->
                                    new KeyPattern(other.segments()).matches(name.substring(PREFIX.length() + 1))))
                    .containsExactly(family);
        }
    }

    /** Few words, in literals and in values, so that patterns nearly collide. */
    @Provide
    Arbitrary<List<String>> patterns() {
        Arbitrary<String> tag = Arbitraries.of("{<p>}", "{a}", "{b}");
        Arbitrary<String> rest =
                Arbitraries.of("a", "b", "<v>").list().ofMinSize(1).ofMaxSize(4).map(KeyspaceTest::numbered);
        return net.jqwik.api.Combinators.combine(tag, rest)
                .as((t, r) -> t + ":" + r)
                .filter(pattern -> !pattern.replaceAll("<\\w+>|[{}:]", "").isEmpty())
                .list()
                .ofMinSize(1)
                .ofMaxSize(12);
    }

    @Provide
    Arbitrary<List<String>> values() {
        return Arbitraries.of("a", "b", "c", "ab", "a.b").list().ofSize(5);
    }

    private static String numbered(List<String> words) {
        List<String> out = new ArrayList<>();
        for (String word : words) {
            out.add(word.equals("<v>") ? "<v" + out.size() + ">" : word);
        }
        return String.join(":", out);
    }

    @ParameterizedTest
    @CsvSource({
        "{<p>}:a:<v>, {<p>}:a:b",
        "{<p>}:a:<v>, {<p>}:<w>:b",
        "{<p>}:a:<v>, {m0}:a:b",
        "{m0}:a, {m0}:a",
        "{<p>}:a:<v>, {<q>}:a:<w>",
    })
    void familiesThatOverlapAreRefused(String one, String other) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyspace(List.of(family("test", one), family("test", other))))
                .withMessageContaining("overlap: a key could belong to both");
    }

    @ParameterizedTest
    @CsvSource({"{<p>}:a:<v>, {<p>}:a:b:c", "{m0}:a, {m1}:a", "{<p>}:a:<v>, {<p>}:aa:<v>", "{<p>}:a, {<p>}:a:b"})
    void familiesThatShareNoKeyAreAdmitted(String one, String other) {
        assertThat(keyspace(List.of(family("test", one), family("test", other))).families())
                .hasSize(2);
    }

    @Test
    void twoFamiliesOfOneNameAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyspace(List.of(family("test", "{<p>}:a:<v>"), family("test", "{<p>}:a:<v>:<w>"))))
                .withMessageContaining("would both be called a");
    }

    @Test
    void familiesOfTwoServicesThatAclRulesCannotKeepApartAreRefused() {
        Service one = service("one", family("one", "{<p>}:a:<v>"));
        Service other = service("other", family("other", "{<p>}:a:<v>:logs"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Keyspace.of(PREFIX, one, other))
                .withMessageContaining("cannot be kept apart by ACL rules");
        assertThatIllegalArgumentException().isThrownBy(() -> Keyspace.of(PREFIX, other, one));
        assertThat(Keyspace.of(PREFIX, service("one", family("one", "{<p>}:a:<v>"), family("one", "{<p>}:a:<v>:logs")))
                        .families())
                .hasSize(2);
    }

    @Test
    void aKeyStaysUnderAHundredBytesWithItsPrefix() {
        KeyFamily family = family("test", "{<p>}:name:<v>");
        KeyFamily shorter = family("test", "{<p>}:word");
        String longest = "x".repeat(99 - family.maxLength() - 1);

        assertThat(family.maxLength()).isEqualTo(8 + 2 + 1 + 4 + 1 + 8);
        assertThat(Keyspace.longestPrefix(List.of(service("test", family, shorter))))
                .isEqualTo(longest.length());
        assertThat(Keyspace.of(longest, service("test", family, shorter)).families())
                .hasSize(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Keyspace.of(longest + "x", service("test", family, shorter)))
                .withMessageContaining("can reach 100 bytes")
                .withMessageContaining("at most " + longest.length() + " characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "dev:", ":dev", "dev::app", "dev app", "dev*", "{dev}", "dév", "dev:<app>"})
    void aPrefixThatIsNoneIsRefused(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Keyspace.of(prefix, List.of()))
                .withMessageContaining("\"" + prefix + "\"");
    }

    @Test
    void aServiceOwnsWhatItDeclares() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service("one", family("other", "{<p>}:a")))
                .withMessageContaining("names other as its owner, but one declares it");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Keyspace.of(PREFIX, service("one"), service("one")))
                .withMessageContaining("two services called one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "One", "a b", "a\n", "1a", "a>b"})
    void aServiceHasANameThatAnAclUserCanHave(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> service(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET", "+get", "@all", "get ~*", "config|", "get\n"})
    void aCommandIsWrittenAsAclRulesNameIt(String command) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Service("one", List.of(), List.of(), Set.of(command)));
    }

    private static Keyspace keyspace(List<KeyFamily> families) {
        return Keyspace.of(PREFIX, service("test", families.toArray(KeyFamily[]::new)));
    }

    private static Service service(String name, KeyFamily... families) {
        return new Service(name, List.of(families), List.of(), Set.of());
    }

    private static KeyFamily family(String owner, String pattern) {
        KeyFamily.Builder builder = KeyFamily.string(pattern);
        java.util.regex.Pattern.compile("<(\\w+)>")
                .matcher(pattern)
                .results()
                .forEach(found -> builder.id(found.group(1), 8));
        return builder.owner(owner)
                .kept("for the test")
                .typically(1, 10)
                .example(pattern.replaceAll("<\\w+>", "x"))
                .why("a test")
                .declared();
    }
}
