package dev.hotstate.monitors;

import java.time.Instant;

/**
 * A monitor as PostgreSQL keeps it.
 *
 * @param version grows with each change of any monitor; no two changes share one
 * @param since the version that made it: a monitor that is made anew under the id of a deleted one has another
 * @param pingKey the secret part of a push monitor's URL
 * @param applied whether a declarative apply made it, so that another may prune it
 * @param deleted a deleted one is kept for a while, so that every instance learns of it
 */
public record Definition(
        Monitor monitor,
        long version,
        long since,
        String pingKey,
        boolean applied,
        boolean deleted,
        Instant createdAt,
        Instant updatedAt) {

    public Definition {
        if (version < 1) {
            throw new IllegalArgumentException("version must be at least 1, not " + version);
        }
        if (since < 1 || since > version) {
            throw new IllegalArgumentException("since must be from 1 to the version, not " + since);
        }
        if (pingKey.isBlank()) {
            throw new IllegalArgumentException("pingKey must not be blank");
        }
    }

    public String id() {
        return monitor.id();
    }

    /** What history knows it by, so that whoever is made anew under its id has a history of its own. */
    public String historyName() {
        return historyName(id(), since);
    }

    static String historyName(String id, long since) {
        return id + "@" + since;
    }

    Definition asDeleted() {
        return new Definition(monitor, version, since, pingKey, applied, true, createdAt, updatedAt);
    }

    /** Without its secrets. */
    @Override
    public String toString() {
        return "Definition[" + id() + " version " + version + (deleted ? " deleted" : "") + "]";
    }
}
