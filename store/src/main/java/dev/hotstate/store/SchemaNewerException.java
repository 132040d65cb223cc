package dev.hotstate.store;

/** A later version of the program has migrated this database; this one must not write to tables it does not know. */
public final class SchemaNewerException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final String feature;
    private final String versionInDatabase;
    private final String newestKnown;

    SchemaNewerException(String feature, String versionInDatabase, String newestKnown) {
        super("The tables of " + feature + " in PostgreSQL are at version " + versionInDatabase
                + ", which this program does not know (the newest it knows is " + newestKnown
                + "): start the newer program, or restore a backup from before the upgrade.");
        this.feature = feature;
        this.versionInDatabase = versionInDatabase;
        this.newestKnown = newestKnown;
    }

    public String feature() {
        return feature;
    }

    public String versionInDatabase() {
        return versionInDatabase;
    }

    /** "none" if the program has no migration of this feature. */
    public String newestKnown() {
        return newestKnown;
    }
}
