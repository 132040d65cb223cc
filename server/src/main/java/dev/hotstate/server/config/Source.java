package dev.hotstate.server.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Values as somebody gave them, and what was wrong with the names. Pure: no file is read here.
 *
 * @param values by the setting's name
 */
record Source(Map<String, Given> values, List<String> problems) {
    /** Variables of ours that are not settings: the launcher reads them. */
    private static final Set<String> OTHER_VARIABLES =
            Set.of(SettingsFiles.VARIABLE, "HOTSTATE_JAVA_HOME", "HOTSTATE_JAVA_OPTS");

    /** A value's text, and the words that tell a user where it stands. */
    record Given(String text, String where) {}

    static Source environment(Map<String, String> environment) {
        var values = new HashMap<String, Given>();
        var problems = new ArrayList<String>();
        var names = new HashMap<String, String>();
        DeclaredSettings.ALL.forEach(setting -> names.put(setting.variable(), setting.name()));
        new TreeMap<>(environment).forEach((variable, text) -> {
            var name = names.get(variable);
            if (name != null) {
                values.put(name, new Given(text, variable));
            } else if (variable.startsWith("HOTSTATE_") && !OTHER_VARIABLES.contains(variable)) {
                problems.add("environment: unknown variable \"" + variable + "\""
                        + DeclaredSettings.hint(variable, names.keySet()));
            }
        });
        return new Source(values, problems);
    }

    /** The command line knows its own options, so an unknown one is a mistake of ours. */
    static Source flags(Map<String, String> flags) {
        var values = new HashMap<String, Given>();
        flags.forEach((flag, text) -> {
            if (flag.equals(SettingsFiles.FLAG)) {
                return;
            }
            var setting = DeclaredSettings.ALL.stream()
                    .filter(declared -> declared.flag().equals(flag))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no setting has the flag " + flag));
            values.put(setting.name(), new Given(text, flag));
        });
        return new Source(values, List.of());
    }

    /** These values, beaten by those of the other. */
    Source and(Source stronger) {
        var both = new HashMap<>(values);
        both.putAll(stronger.values);
        var bothProblems = new ArrayList<>(problems);
        bothProblems.addAll(stronger.problems);
        return new Source(both, bothProblems);
    }

    Settings settings() {
        return new SettingsReader(this).read();
    }
}
