package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Keyspace;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** Any name finds its place in a key, and no two the same. */
class NamesTest {
    @Test
    void aShortNameStandsForItself() {
        assertThat(Names.segment("GET /api/users")).isEqualTo("GET /api/users");
    }

    @Test
    void aLongNameIsItsBeginningAndADigest() {
        String name = "GET /api/customers/{customer}/invoices/{invoice}/lines";

        assertThat(Names.segment(name)).matches("GET /api/customers/~[A-Za-z0-9_-]{22}");
    }

    @Test
    void longNamesThatBeginAlikeDiffer() {
        String name = "GET /" + "x".repeat(100);

        assertThat(Stream.of(name + "a", name + "b").map(Names::segment)).doesNotHaveDuplicates();
    }

    @Property
    void everyNameFitsEveryKeyOfItsKind(
            @ForAll @NotEmpty @StringLength(max = 200) @CharRange(from = ' ', to = '\ud7ff') String name) {
        String segment = Names.segment(name);

        assertThat(Stream.of(
                        TrafficKeys.ENDPOINT_REQUESTS,
                        TrafficKeys.ENDPOINT_ERRORS,
                        TrafficKeys.RESPONSE_TIMES,
                        TrafficKeys.RESPONSE_SUM,
                        TrafficKeys.RESPONSE_COUNT,
                        TrafficKeys.INSTANCE_REQUESTS))
                .allSatisfy(
                        family -> assertThat(family.of(segment).name().length()).isLessThanOrEqualTo(66));
    }

    @Test
    void theKeysFitUnderTheLongestPrefix() {
        assertThat(Keyspace.of("p".repeat(32), TrafficKeys.SERVICE).families()).isNotEmpty();
    }

    @Test
    void aNameOfManyByteCharactersIsNotCutWithinOne() {
        assertThat(Names.segment("GET /" + "😀".repeat(30))).startsWith("GET /😀~");
    }
}
