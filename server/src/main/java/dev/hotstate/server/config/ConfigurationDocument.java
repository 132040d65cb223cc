package dev.hotstate.server.config;

import java.util.stream.Collectors;

/** Prints docs/configuration.md from the declared settings. */
final class ConfigurationDocument {
    private static final String OPENING = """
            # Configuration

            Settings come from a file, the environment and the command line; each beats the one before.

            - The file is `hotstate.yaml` of the working directory if it is there, or the one that `--config FILE` (or
              `HOTSTATE_CONFIG`) names. `redis: {timeout: 1s}` and `redis.timeout: 1s` mean the same.
            - The variables below set the same keys; lists are separated by commas.
            - An unknown key or variable is refused, with the nearest known name.
            - Values marked *secret* are never logged and never shown in an error.
            - `HOTSTATE_JAVA_HOME` and `HOTSTATE_JAVA_OPTS` are read by the launcher: the JDK to run on, and options for it.

            `hotstate doctor` checks a configuration and the servers that it names.

            | key | default | accepts | meaning | variable | flag |
            | --- | --- | --- | --- | --- | --- |
            """;

    private static final String CLOSING = """

            This page is printed from the declared settings; a test compares the two.
            """;

    private ConfigurationDocument() {}

    static String markdown() {
        return OPENING
                + DeclaredSettings.ALL.stream().map(ConfigurationDocument::row).collect(Collectors.joining())
                + CLOSING;
    }

    private static String row(Setting<?> setting) {
        var secret = setting.secret() ? " *Secret.*" : "";
        return "| `%s` | %s | %s | %s%s | `%s` | %s |\n"
                .formatted(
                        setting.name(),
                        code(setting.fallback()),
                        setting.kind().accepts(),
                        setting.meaning().replace("<", "&lt;"),
                        secret,
                        setting.variable(),
                        code(setting.flag()));
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "`" + text + "`";
    }
}
