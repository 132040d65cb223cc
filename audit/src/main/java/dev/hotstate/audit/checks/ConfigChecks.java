package dev.hotstate.audit.checks;

import dev.hotstate.audit.facts.Settings;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.rules.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Settings that differ between nodes, or from those of the last report. */
final class ConfigChecks {
    private ConfigChecks() {}

    static Stream<Finding> findings(Grounds grounds) {
        Map<String, Map<String, String>> now = new TreeMap<>();
        grounds.facts().forEach(node -> {
            if (!node.config().isEmpty()) {
                now.put(node.member().address(), node.config());
            }
        });
        Report previous = grounds.previous();
        return Stream.concat(between(now), previous == null ? Stream.of() : since(previous.configuration(), now));
    }

    private static Stream<Finding> between(Map<String, Map<String, String>> nodes) {
        List<Finding> found = new ArrayList<>();
        for (String setting : Settings.READ) {
            Map<String, String> values = new TreeMap<>();
            nodes.forEach((node, config) -> {
                String value = config.get(setting);
                if (value != null) {
                    values.put(node, value);
                }
            });
            if (!Settings.OF_A_NODE.contains(setting) && new TreeSet<>(values.values()).size() > 1) {
                found.add(Draw.of(Rules.CONFIG_DRIFT)
                        .on(setting)
                        .says(setting + " differs between nodes: "
                                + values.entrySet().stream()
                                        .map(entry -> entry.getKey() + " has \"" + entry.getValue() + "\"")
                                        .collect(Collectors.joining(", "))));
            }
        }
        return found.stream();
    }

    private static Stream<Finding> since(
            Map<String, Map<String, String>> before, Map<String, Map<String, String>> now) {
        List<Finding> found = new ArrayList<>();
        now.forEach((node, config) -> config.forEach((setting, value) -> {
            String was = before.getOrDefault(node, Map.of()).get(setting);
            if (was != null && !was.equals(value)) {
                found.add(Draw.of(Rules.CONFIG_DRIFT)
                        .on(setting + " of " + node + " since the last report")
                        .says(setting + " of " + node + " was \"" + was + "\" in the last report and is \"" + value
                                + "\" now"));
            }
        }));
        return found.stream();
    }
}
