package dev.hotstate.server.config;

import java.util.Locale;

/**
 * One declared key of the configuration. Parsing, error messages and the document are all made from it.
 *
 * @param flag the command-line option that sets it, or empty
 * @param fallback the text of its value when nobody gives one
 * @param secret its value is never shown, in no log, error or document
 */
record Setting<T>(
        String name, String variable, String flag, Kind<T> kind, String fallback, boolean secret, String meaning) {
    Setting {
        if (!name.matches("[a-z_]+(\\.[a-z_]+)*")) {
            throw new IllegalArgumentException("a setting's name is lower_case words joined by dots, not " + name);
        }
        if (!meaning.endsWith(".")) {
            throw new IllegalArgumentException("the meaning of " + name + " is not a sentence: " + meaning);
        }
    }

    static <T> Setting<T> of(String name, Kind<T> kind, String fallback, String meaning) {
        var variable = "HOTSTATE_" + name.toUpperCase(Locale.ROOT).replace('.', '_');
        return new Setting<>(name, variable, "", kind, fallback, false, meaning);
    }

    Setting<T> withFlag(String newFlag) {
        return new Setting<>(name, variable, newFlag, kind, fallback, secret, meaning);
    }

    Setting<T> withVariable(String newVariable) {
        return new Setting<>(name, newVariable, flag, kind, fallback, secret, meaning);
    }

    Setting<T> asSecret() {
        return new Setting<>(name, variable, flag, kind, fallback, true, meaning);
    }
}
