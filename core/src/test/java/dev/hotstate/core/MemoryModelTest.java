package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class MemoryModelTest {
    @Test
    void aKeyThatExpiresTakesAnEntryInAnotherTable() {
        KeyFamily kept = family(KeyFamily::hash, 10).kept("for the test").declared();
        KeyFamily expires =
                family(KeyFamily::hash, 10).expires(Duration.ofDays(1)).declared();

        assertThat(MemoryModel.bytesPerKey(keyspace(expires), expires))
                .isEqualTo(MemoryModel.bytesPerKey(keyspace(kept), kept));
        assertThat(MemoryModel.bytes(keyspace(expires), expires, 1_000, 5))
                .isEqualTo(MemoryModel.bytes(keyspace(kept), kept, 1_000, 5) + 36_000);
    }

    @Property
    void moreElementsNeverTakeLess(
            @ForAll RedisType type,
            @ForAll @IntRange(min = 1, max = 5_000) int elements,
            @ForAll @IntRange(min = 1, max = 10_000) int bytes) {
        KeyFamily family = family(MemoryModelTest.builder(type), bytes)
                .kept("for the test")
                .declared();
        Keyspace keyspace = keyspace(family);

        assertThat(MemoryModel.bytesPerKey(keyspace, family, elements + 1))
                .isGreaterThanOrEqualTo(MemoryModel.bytesPerKey(keyspace, family, elements))
                .isGreaterThan(elements);
    }

    private static Function<String, KeyFamily.Builder> builder(RedisType type) {
        return switch (type) {
            case STRING -> KeyFamily::string;
            case HASH -> KeyFamily::hash;
            case LIST -> KeyFamily::list;
            case SET -> KeyFamily::set;
            case ZSET -> KeyFamily::zset;
            case STREAM -> KeyFamily::stream;
        };
    }

    private static Keyspace keyspace(KeyFamily family) {
        return Keyspace.of("dev:hotstate", new Service("test", List.of(family), List.of(), Set.of()));
    }

    private static KeyFamily.Builder family(Function<String, KeyFamily.Builder> type, int elementBytes) {
        return type.apply("{<id>}:name")
                .id("id", 8)
                .owner("test")
                .typically(1, elementBytes)
                .example("{a}:name")
                .why("a test");
    }
}
