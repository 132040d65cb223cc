package dev.hotstate.store;

import java.util.regex.Pattern;

/**
 * The migrations of one feature: SQL files {@code V1__what.sql}, {@code V2__what.sql}, … in one folder of the class path,
 * with their own history table, so that features are switched on in any order and a feature that is off has no tables.
 *
 * @param feature the feature's name; the history is kept in {@code flyway_<feature>}
 * @param folder the folder on the class path
 */
public record MigrationSet(String feature, String folder) {
    // With "flyway_" before it the table's name stays within PostgreSQL's 63 bytes.
    private static final Pattern FEATURE = Pattern.compile("[a-z][a-z0-9_]{0,47}");

    public MigrationSet {
        if (!FEATURE.matcher(feature).matches()) {
            throw new IllegalArgumentException(
                    "feature must be 1 to 48 of a-z 0-9 _ and begin with a letter, not \"" + feature + "\"");
        }
        if (folder.isBlank() || folder.contains(":")) {
            throw new IllegalArgumentException("folder must be a folder of the class path, not \"" + folder + "\"");
        }
    }

    /** The feature's migrations in their usual place, {@code db/migration/<feature>}. */
    public static MigrationSet of(String feature) {
        return new MigrationSet(feature, "db/migration/" + feature);
    }

    String historyTable() {
        return "flyway_" + feature;
    }
}
