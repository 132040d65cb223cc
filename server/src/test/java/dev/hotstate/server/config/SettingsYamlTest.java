package dev.hotstate.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.config.Source.Given;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsYamlTest {
    @Test
    void nestedAndDottedKeysAreTheSame() {
        var nested = SettingsYaml.read("f", "redis:\n  breaker:\n    failures: 3\n");
        var dotted = SettingsYaml.read("f", "redis.breaker.failures: 3");
        var mixed = SettingsYaml.read("f", "redis: {breaker.failures: 3}");

        assertThat(nested.values())
                .isEqualTo(Map.of("redis.breaker.failures", new Given("3", "f: redis.breaker.failures")))
                .isEqualTo(dotted.values())
                .isEqualTo(mixed.values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing yet\n", "---\n", "redis:\n", "port:\n", "redis:\n  url:\n"})
    void anEmptyFileGroupOrKeySetsNothing(String yaml) {
        assertThat(SettingsYaml.read("f", yaml)).isEqualTo(new Source(Map.of(), java.util.List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"port: 1\nport: 2", "redis: {queue: 1}\nredis.queue: 2"})
    void aKeyGivenTwiceIsRefused(String yaml) {
        assertThat(SettingsYaml.read("f", yaml).problems())
                .singleElement()
                .asString()
                .contains("is given twice");
    }

    @Test
    void brokenYamlIsRefusedWithItsLine() {
        assertThat(SettingsYaml.read("f", "port: 1\nhost: [\n").problems())
                .singleElement()
                .asString()
                .startsWith("f: not valid YAML at line ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"- port", "port", "12"})
    void aFileThatIsNotKeysAndValuesIsRefused(String yaml) {
        assertThat(SettingsYaml.read("f", yaml).problems())
                .containsExactly("f: must be a list of \"key: value\" lines");
    }

    @Test
    void aValueWhereAGroupBelongsIsRefusedNamingOneOfItsKeys() {
        assertThat(SettingsYaml.read("f", "redis: redis://h").problems())
                .containsExactly("f: \"redis\" is a group of keys, such as redis.url");
    }

    @Test
    void aGroupWhereAValueBelongsIsRefused() {
        assertThat(SettingsYaml.read("f", "port: {http: 1}").problems())
                .containsExactly("f: port is nested; give one value or one list");
        assertThat(SettingsYaml.read("f", "features: [[limits]]").problems())
                .containsExactly("f: features is nested; give one value or one list");
    }
}
