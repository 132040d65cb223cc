package dev.hotstate.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DeclaredSettingsTest {
    @Test
    void everyDeclaredSettingIsListedOnce() {
        var declared = Arrays.stream(DeclaredSettings.class.getDeclaredFields())
                .filter(field -> field.getType() == Setting.class)
                .map(DeclaredSettingsTest::value)
                .toList();

        assertThat(DeclaredSettings.ALL).containsExactlyElementsOf(declared);
        assertThat(DeclaredSettings.ALL).extracting(Setting::name).doesNotHaveDuplicates();
        assertThat(DeclaredSettings.ALL).extracting(Setting::variable).doesNotHaveDuplicates();
    }

    @Test
    void everyFallbackIsItselfAccepted() {
        assertThat(DeclaredSettings.ALL)
                .allSatisfy(setting ->
                        assertThat(setting.kind().parse(setting.fallback())).isNotNull());
    }

    @Test
    void theVariablesOfTheCommandLineContractAreThere() {
        assertThat(DeclaredSettings.ALL)
                .extracting(Setting::variable)
                .contains(
                        "HOTSTATE_HOST",
                        "HOTSTATE_PORT",
                        "HOTSTATE_DATA",
                        "HOTSTATE_REDIS",
                        "HOTSTATE_POSTGRES",
                        "HOTSTATE_KEY_PREFIX",
                        "HOTSTATE_REDIS_CONNECTIONS_MIN");
    }

    @Test
    void aSettingWithoutAProperNameOrMeaningIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Setting.of("Redis.Url", Kind.number(0, 1), "0", "A sentence."))
                .withMessageContaining("Redis.Url");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Setting.of("a", Kind.number(0, 1), "0", "no sentence"))
                .withMessageContaining("no sentence");
    }

    private static Setting<?> value(java.lang.reflect.Field field) {
        try {
            return (Setting<?>) field.get(null);
        } catch (IllegalAccessException hidden) {
            throw new AssertionError(hidden);
        }
    }
}
