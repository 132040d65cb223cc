package dev.hotstate.audit.scan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.audit.schema.Naming;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SampleTest {
    @Test
    void theSameNamesAreChosenInWhateverOrderTheyCome() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            names.add("key:" + i);
        }
        List<String> first = chosen(names);
        Collections.shuffle(names, new Random(7));
        names.addAll(names.subList(0, 300));

        assertThat(chosen(names)).hasSize(50).containsExactlyElementsOf(first).doesNotHaveDuplicates();
    }

    @Test
    void aSampleIsOfTheWhole() {
        long high = chosen(IntStream.range(0, 1000).mapToObj(i -> "key:" + i).toList()).stream()
                .filter(name -> Integer.parseInt(name.substring(4)) >= 500)
                .count();
        assertThat(high).isBetween(10L, 40L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "user:123", "{user:1}:a", "x{y}z{w}", "{}a", "{", "a{b", "", "{}{a}"})
    void slotsAreThoseOfRedis(String name) {
        byte[] bytes = name.getBytes(UTF_8);
        assertThat(Slots.of(bytes, 0, bytes.length)).isEqualTo(SlotHash.getSlot(bytes));
    }

    @ParameterizedTest
    @CsvSource({
        "prod:api:session:sess_abc123,true",
        "prod:api:cache:user:usr_789:v1,true",
        "dev:hotstate:{m0}:monitor:status:web-1,true",
        "prod:api:{u1}:profile,true",
        "{user:123}:profile,false",
        "session:abc123,false",
        "prod:api::x:y,false",
        "qa:api:session:1,false"
    })
    void aConventionIsHeldAgainstNames(String name, boolean follows) {
        Convention convention = new Convention(new Naming(Naming.DEFAULT.convention(), List.of("prod", "dev")));
        byte[] bytes = name.getBytes(UTF_8);
        assertThat(convention.admits(bytes, 0, bytes.length)).isEqualTo(follows);
    }

    @Test
    void aConventionMayHaveAnotherSeparatorAndNoMoreThanItsParts() {
        Convention convention = new Convention(new Naming("{app}/{entity}/{id}", List.of()));
        assertThat(convention.admits("a/b/c".getBytes(UTF_8), 0, 5)).isTrue();
        assertThat(convention.admits("a/b/c/d".getBytes(UTF_8), 0, 7)).isFalse();
        assertThat(convention.admits("a:b:c".getBytes(UTF_8), 0, 5)).isFalse();
    }

    @Test
    void textIsToldFromPackedValues() {
        assertThat(ValueFlaws.isText("plain text, ünïcode".getBytes(UTF_8))).isTrue();
        assertThat(ValueFlaws.isText("<html>\n".getBytes(UTF_8))).isTrue();
        assertThat(ValueFlaws.isText(new byte[] {(byte) 0x83, (byte) 0xa1, 'a'}))
                .as("MessagePack")
                .isFalse();
        assertThat(ValueFlaws.isText(new byte[] {0x1f, (byte) 0x8b, 8, 0}))
                .as("gzip")
                .isFalse();
        assertThat(ValueFlaws.isText(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0}))
                .as("zstd")
                .isFalse();
    }

    private static List<String> chosen(List<String> names) {
        Sample sample = new Sample(50);
        for (String name : names) {
            byte[] bytes = name.getBytes(UTF_8);
            sample.offer(NameHash.of(1, bytes, 0, bytes.length), bytes, 0, bytes.length, 0);
        }
        return sample.names().stream().map(name -> new String(name, UTF_8)).toList();
    }
}
