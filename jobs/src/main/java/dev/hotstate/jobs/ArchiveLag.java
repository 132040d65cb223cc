package dev.hotstate.jobs;

import java.time.Duration;

/** How much waits to be archived, and for how long the oldest of it has. */
public record ArchiveLag(long entries, Duration age) {
    static final ArchiveLag NONE = new ArchiveLag(0, Duration.ZERO);

    ArchiveLag and(ArchiveLag other) {
        return new ArchiveLag(entries + other.entries, age.compareTo(other.age) > 0 ? age : other.age);
    }
}
