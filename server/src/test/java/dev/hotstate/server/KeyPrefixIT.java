package dev.hotstate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.server.config.InvalidSettingsException;
import dev.hotstate.server.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long the prefix of keys may be: with jobs so many characters, without them some more. */
class KeyPrefixIT {
    private static final int WITH_JOBS = 13;
    private static final int WITHOUT_JOBS = 20;
    private static final String NO_JOBS = "limits,traffic,monitors,drivers,audit";

    @TempDir
    Path place;

    @Test
    void theKeysOfAllFeaturesFitInProduction() {
        var keyspace = Features.keyspace(settings(Map.of("HOTSTATE_ENV", "prod")));

        assertThat(keyspace.prefix()).isEqualTo("prod:hotstate").hasSize(WITH_JOBS);
    }

    @Test
    void aPrefixThatIsTooLongIsRefusedWithWhatToSet() {
        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> Features.keyspace(settings(Map.of("HOTSTATE_ENV", "stage"))))
                .withMessage("keys would begin with \"stage:hotstate\", which is 14 characters; with these features at"
                        + " most 13 fit: set a shorter HOTSTATE_APP, or HOTSTATE_KEY_PREFIX");
        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> Features.keyspace(settings(Map.of("HOTSTATE_KEY_PREFIX", "stage:hotstate"))))
                .withMessageEndingWith("at most 13 fit: set a shorter HOTSTATE_KEY_PREFIX");
        assertThat(Features.keyspace(settings(Map.of("HOTSTATE_ENV", "stage", "HOTSTATE_APP", "shop")))
                        .prefix())
                .isEqualTo("stage:shop");
    }

    @Test
    void withoutJobsItMayBeLonger() {
        var longest = "p".repeat(WITHOUT_JOBS);
        var settings = settings(Map.of("HOTSTATE_FEATURES", NO_JOBS, "HOTSTATE_KEY_PREFIX", longest));

        assertThat(Features.keyspace(settings).prefix()).isEqualTo(longest);
        var derived =
                settings(Map.of("HOTSTATE_FEATURES", NO_JOBS, "HOTSTATE_ENV", "e", "HOTSTATE_APP", "a".repeat(19)));
        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> Features.keyspace(derived))
                .withMessageContaining("which is 21 characters; with these features at most 20 fit");
        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> settings(Map.of("HOTSTATE_FEATURES", NO_JOBS, "HOTSTATE_KEY_PREFIX", longest + "p")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/configuration.md"})
    void theDocumentsNameTheLimit(String document) throws IOException {
        assertThat(Files.readString(Path.of("..").resolve(document)))
                .contains("at most " + WITH_JOBS + " characters (" + WITHOUT_JOBS + " without jobs)");
    }

    private Settings settings(Map<String, String> environment) {
        return Settings.load(place, environment, Map.of());
    }
}
