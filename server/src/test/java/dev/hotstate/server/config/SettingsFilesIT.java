package dev.hotstate.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFilesIT {
    @TempDir
    Path folder;

    @Test
    void withoutAFileTheDefaultsHold() {
        assertThat(load("", Map.of())).isEqualTo(Settings.defaults());
    }

    @Test
    void theUsualFileOfTheFolderIsReadUnlessAnotherIsNamed() throws IOException {
        Files.writeString(folder.resolve("hotstate.yaml"), "port: 1");
        Files.writeString(folder.resolve("other.yaml"), "port: 2");
        Files.writeString(folder.resolve("third.yaml"), "port: 3");

        assertThat(load("", Map.of()).port()).isEqualTo(1);
        assertThat(load("", Map.of("HOTSTATE_CONFIG", "other.yaml")).port()).isEqualTo(2);
        assertThat(load("third.yaml", Map.of("HOTSTATE_CONFIG", "other.yaml")).port())
                .isEqualTo(3);
    }

    @Test
    void aNamedFileThatIsMissingOrNoFileOrNoTextIsRefused() throws IOException {
        Files.createDirectory(folder.resolve("folder"));
        Files.write(folder.resolve("binary"), new byte[] {(byte) 0xC3, (byte) 0x28});

        assertThatThrownBy(() -> load("absent.yaml", Map.of()))
                .hasMessage("absent.yaml: there is no such configuration file");
        assertThatThrownBy(() -> load("folder", Map.of())).hasMessage("folder: is not a file");
        assertThatThrownBy(() -> load("binary", Map.of()))
                .hasMessage("binary: cannot be read as UTF-8 text; check its rights");
    }

    private Settings load(String file, Map<String, String> environment) {
        return Settings.load(folder, environment, file.isEmpty() ? Map.of() : Map.of("--config", file));
    }
}
