package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionTest {
    @Property
    void eachOfThreeMastersGetsItsShareWithinOne(
            @ForAll("letters") String letter, @ForAll @IntRange(min = 1, max = 64) int count) {
        assertThat(shares(letter, count, 3))
                .allSatisfy(share -> assertThat(share.doubleValue()).isBetween(count / 3.0 - 1, count / 3.0 + 1));
    }

    @Property
    void eachOfAnyNumberOfMastersGetsItsShareWithinTwo(
            @ForAll("letters") String letter,
            @ForAll @IntRange(min = 1, max = 64) int count,
            @ForAll @IntRange(min = 1, max = 12) int masters) {
        double fair = (double) count / masters;

        assertThat(shares(letter, count, masters))
                .allSatisfy(share -> assertThat(share.doubleValue()).isBetween(fair - 2, fair + 2));
    }

    private static List<Integer> shares(String letter, int count, int masters) {
        List<Integer> shares = new ArrayList<>(Collections.nCopies(masters, 0));
        for (Partition partition : Partition.spread(letter, count)) {
            int master = partition.slot() * masters / SlotHash.SLOT_COUNT;
            shares.set(master, shares.get(master) + 1);
        }
        return shares;
    }

    @Property
    void partitionsAreDistinctAndShort(
            @ForAll("letters") String letter, @ForAll @IntRange(min = 1, max = 64) int count) {
        List<Partition> partitions = Partition.spread(letter, count);

        assertThat(partitions).hasSize(count).doesNotHaveDuplicates();
        for (int i = 0; i < count; i++) {
            assertThat(partitions.get(i).tag()).matches(letter + i + "[a-z]{0,2}");
        }
    }

    @Provide
    Arbitrary<String> letters() {
        return Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1).ofMaxLength(3);
    }

    /** Tags are in users' Redis and PostgreSQL: another choice would orphan what is there. */
    @Test
    void theChoiceOfTagsNeverChanges() {
        assertThat(tags("j", 1)).containsExactly("j0");
        assertThat(tags("m", 3)).containsExactly("m0", "m1", "m2");
        assertThat(tags("j", 4)).containsExactly("j0c", "j1a", "j2c", "j3a");
    }

    private static Stream<String> tags(String letter, int count) {
        return Partition.spread(letter, count).stream().map(Partition::tag);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 65, Integer.MAX_VALUE})
    void thereAreOneToSixtyFourPartitions(int count) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Partition.spread("m", count))
                .withMessage("partitions must be 1 to 64, not " + count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "m1", "M", "m-", "ä", "{m}"})
    void partitionsAreCalledByLetters(String letter) {
        assertThatIllegalArgumentException().isThrownBy(() -> Partition.spread(letter, 3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "{a}", "ä"})
    void aTagIsAnId(String tag) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Partition(tag))
                .withMessageContaining("\"" + tag + "\"");
    }
}
