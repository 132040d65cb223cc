package dev.hotstate.audit.rules;

/**
 * One thing the auditor looks for.
 *
 * @param id as it stands in reports, baselines and waivers: it never changes its meaning
 * @param title what is wrong, in a few words
 * @param reason why that is wrong
 * @param looks what is looked at, and from which number on it is a finding
 * @param remedy what to do about it
 * @param needsSchema whether it is about a declared design, so that it says nothing where none is given
 */
public record Rule(
        String id,
        Group group,
        Severity severity,
        String title,
        String reason,
        String looks,
        String remedy,
        boolean needsSchema) {

    /** What a rule is about, in the order of the report and of the documentation. */
    public enum Group {
        SCHEMA("Schema"),
        NAMES("Names"),
        VALUES("Values"),
        SERVER("Server"),
        SECURITY("Security"),
        AUDIT("Audit");

        private final String title;

        Group(String title) {
            this.title = title;
        }

        public String title() {
            return title;
        }
    }

    public Rule {
        if (!id.matches("[a-z]+(-[a-z]+)*")) {
            throw new IllegalArgumentException("id must be words in lower case between dashes, not \"" + id + "\"");
        }
        if (title.isBlank() || reason.isBlank() || looks.isBlank() || remedy.isBlank()) {
            throw new IllegalArgumentException(
                    "rule " + id + " needs a title, a reason, what it looks at and a remedy");
        }
    }

    @Override
    public String toString() {
        return id;
    }
}
