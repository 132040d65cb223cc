package dev.hotstate.audit.report;

import dev.hotstate.audit.rules.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What has changed between two reports.
 *
 * @param appeared findings that only the later has, and those that have become worse
 * @param gone findings that only the earlier has
 * @param families whose keys or memory have changed, the largest change of memory first
 * @param settings of nodes that have changed
 */
public record ReportDiff(
        List<Finding> appeared,
        List<Finding> gone,
        List<FamilyChange> families,
        List<SettingChange> settings,
        long keys,
        long usedMemory) {

    /** A family that one of the two does not have has 0 keys there. */
    public record FamilyChange(String name, long keysBefore, long keysAfter, long bytesBefore, long bytesAfter) {
        long keys() {
            return keysAfter - keysBefore;
        }

        long bytes() {
            return bytesAfter - bytesBefore;
        }
    }

    /** @param before null where the setting was not seen; after likewise */
    public record SettingChange(
            String node,
            String setting,
            @Nullable String before,
            @Nullable String after) {}

    public ReportDiff {
        appeared = List.copyOf(appeared);
        gone = List.copyOf(gone);
        families = List.copyOf(families);
        settings = List.copyOf(settings);
    }

    public static ReportDiff between(Report before, Report after) {
        Map<String, Severity> earlier = severities(before);
        Map<String, Severity> later = severities(after);
        return new ReportDiff(
                after.findings().stream()
                        .filter(finding -> isWorse(finding, earlier.get(finding.fingerprint())))
                        .toList(),
                before.findings().stream()
                        .filter(finding -> !later.containsKey(finding.fingerprint()))
                        .toList(),
                families(before, after),
                settings(before.configuration(), after.configuration()),
                after.keys() - before.keys(),
                after.memory().used() - before.memory().used());
    }

    /** Nothing of what a reader decides by: figures move all the time. */
    public boolean isSame() {
        return appeared.isEmpty() && gone.isEmpty() && settings.isEmpty();
    }

    /** For a terminal. */
    public String text() {
        StringBuilder out = new StringBuilder();
        appeared.forEach(finding -> out.append("+ ").append(shown(finding)).append('\n'));
        gone.forEach(finding -> out.append("- ").append(shown(finding)).append('\n'));
        settings.forEach(change -> out.append("~ ")
                .append(Printable.of(
                        change.node() + " " + change.setting() + ": " + change.before() + " → " + change.after()))
                .append('\n'));
        if (out.isEmpty()) {
            out.append("No finding came or went.\n");
        }
        out.append("\nkeys ")
                .append(Figures.change(keys, Figures.count(keys)))
                .append(", memory ")
                .append(Figures.change(usedMemory, Figures.bytes(usedMemory)))
                .append('\n');
        if (!families.isEmpty()) {
            TextTable table = new TextTable("family", "keys", "change", "memory", "change");
            families.forEach(family -> table.add(
                    Printable.of(family.name()),
                    Figures.count(family.keysAfter()),
                    Figures.change(family.keys(), Figures.count(family.keys())),
                    Figures.bytes(family.bytesAfter()),
                    Figures.change(family.bytes(), Figures.bytes(family.bytes()))));
            table.lines(Presentation.PLAIN.width())
                    .forEach(line -> out.append(line).append('\n'));
        }
        return out.toString();
    }

    public String json() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("same", isSame());
        shown.put("appeared", appeared);
        shown.put("gone", gone);
        shown.put("families", families);
        shown.put("settings", settings);
        shown.put("keys", keys);
        shown.put("used_memory", usedMemory);
        return ReportJson.pretty(shown) + "\n";
    }

    private static String shown(Finding finding) {
        return finding.severity().word() + " " + Printable.of(finding.rule())
                + (finding.family() == null ? "" : " " + Printable.of(finding.family()))
                + (finding.subject().isEmpty() ? "" : " " + Printable.of(finding.subject())) + ": "
                + Printable.of(finding.evidence());
    }

    private static boolean isWorse(Finding finding, @Nullable Severity before) {
        return before == null || finding.severity().compareTo(before) < 0;
    }

    /** The worst of those that share a fingerprint. */
    private static Map<String, Severity> severities(Report report) {
        return report.findings().stream()
                .collect(Collectors.toMap(
                        Finding::fingerprint, Finding::severity, (one, other) -> one.isAtLeast(other) ? one : other));
    }

    private static List<FamilyChange> families(Report before, Report after) {
        Map<String, FamilyReport> earlier = byName(before);
        Map<String, FamilyReport> later = byName(after);
        TreeSet<String> names = new TreeSet<>(earlier.keySet());
        names.addAll(later.keySet());
        List<FamilyChange> changes = new ArrayList<>();
        for (String name : names) {
            FamilyReport was = earlier.get(name);
            FamilyReport is = later.get(name);
            FamilyChange change = new FamilyChange(
                    name,
                    was == null ? 0 : was.keys(),
                    is == null ? 0 : is.keys(),
                    was == null ? 0 : was.bytes(),
                    is == null ? 0 : is.bytes());
            if (change.keys() != 0 || change.bytes() != 0) {
                changes.add(change);
            }
        }
        changes.sort(Comparator.comparingLong((FamilyChange change) -> -Math.abs(change.bytes()))
                .thenComparing(FamilyChange::name));
        return changes;
    }

    private static Map<String, FamilyReport> byName(Report report) {
        return report.families().stream()
                .collect(Collectors.toMap(FamilyReport::name, Function.identity(), (one, other) -> one, TreeMap::new));
    }

    private static List<SettingChange> settings(
            Map<String, Map<String, String>> before, Map<String, Map<String, String>> after) {
        List<SettingChange> changes = new ArrayList<>();
        new TreeMap<>(before).forEach((node, was) -> {
            Map<String, String> is = after.get(node);
            if (is != null) {
                changes.addAll(settings(node, was, is));
            }
        });
        return changes;
    }

    private static List<SettingChange> settings(String node, Map<String, String> was, Map<String, String> is) {
        TreeSet<String> names = new TreeSet<>(was.keySet());
        names.addAll(is.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(was.get(name), is.get(name)))
                .map(name -> new SettingChange(node, name, was.get(name), is.get(name)))
                .toList();
    }
}
