package dev.hotstate.audit.generate;

import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rules;
import java.util.Map;
import java.util.TreeMap;

/** The documentation of the rules: a page for each, and one that lists them. */
public final class RulePages {
    private RulePages() {}

    /** By file name. */
    public static Map<String, String> all() {
        Map<String, String> pages = new TreeMap<>();
        pages.put("README.md", index());
        Rules.all().forEach(rule -> pages.put(rule.id() + ".md", page(rule)));
        return pages;
    }

    private static String index() {
        StringBuilder page = new StringBuilder("# Rules of the audit\n\n");
        page.append("Printed from the program. How to run an audit: [audit.md](../audit.md).\n");
        for (Rule.Group group : Rule.Group.values()) {
            page.append("\n## ").append(group.title()).append("\n\n| rule | severity | |\n| --- | --- | --- |\n");
            Rules.all().stream()
                    .filter(rule -> rule.group() == group)
                    .forEach(rule -> page.append("| [")
                            .append(rule.id())
                            .append("](")
                            .append(rule.id())
                            .append(".md) | ")
                            .append(rule.severity().word())
                            .append(" | ")
                            .append(text(rule.title()))
                            .append(" |\n"));
        }
        return page.toString();
    }

    private static String page(Rule rule) {
        return "# " + rule.id() + "\n\n" + text(rule.title()) + ".\n\n"
                + "| | |\n| --- | --- |\n| severity | " + rule.severity().word() + " |\n| group | "
                + rule.group().title() + " |\n| needs a schema | " + (rule.needsSchema() ? "yes" : "no") + " |\n\n"
                + "## Why\n\n" + text(rule.reason()) + "\n\n"
                + "## What is looked at\n\n" + text(rule.looks()) + "\n\n"
                + "## What to do\n\n" + text(rule.remedy()) + "\n\n"
                + "## If it must stay\n\n```yaml\n- rule: " + rule.id()
                + "\n  reason: why it may be so\n  until: 2027-03-31\n```\n\n"
                + "in the file of `--waivers`, see [audit.md](../audit.md#waivers).\n";
    }

    /** These words are ours: only what Markdown would take for something else is escaped. */
    private static String text(String words) {
        return words.replaceAll("([*_|<\\[\\]])", "\\\\$1");
    }
}
