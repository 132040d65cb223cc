package dev.hotstate.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Finds and reads the configuration file; the one place of this package that touches the disk. */
final class SettingsFiles {
    /** Names the file where no flag does. */
    static final String VARIABLE = "HOTSTATE_CONFIG";

    static final String FLAG = "--config";

    private static final String USUAL_NAME = "hotstate.yaml";

    private SettingsFiles() {}

    static Source read(Path folder, Map<String, String> environment, Map<String, String> flags) {
        var named = flags.getOrDefault(FLAG, environment.getOrDefault(VARIABLE, ""));
        if (!named.isEmpty()) {
            return read(named, folder.resolve(named));
        }
        var usual = folder.resolve(USUAL_NAME);
        return Files.exists(usual) ? read(USUAL_NAME, usual) : new Source(Map.of(), List.of());
    }

    private static Source read(String name, Path file) {
        if (!Files.isRegularFile(file)) {
            var fault = Files.exists(file) ? ": is not a file" : ": there is no such configuration file";
            throw new InvalidSettingsException(List.of(name + fault));
        }
        try {
            return SettingsYaml.read(name, Files.readString(file));
        } catch (IOException unreadable) {
            throw new InvalidSettingsException(List.of(name + ": cannot be read as UTF-8 text; check its rights"));
        }
    }
}
