package dev.hotstate.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The truth about partitions, outside Redis: which incarnation each is at, whether it is ready, and who rebuilds it.
 * PostgreSQL keeps it; each verb is one atomic step there, and time is PostgreSQL's.
 */
public interface Ledger {

    /** What is known of one partition. {@code beat} is the last one that was written down, not the last there was. */
    record Entry(
            String feature,
            Partition partition,
            long incarnation,
            boolean ready,
            boolean retired,
            long beat,
            long done,
            String reason) {}

    /** The right to rebuild one incarnation, until the lease ends or another takes it with a greater token. */
    record Rebuilding(Entry entry, long token) {
        public Pass pass() {
            return new Pass.Rebuilder(entry.incarnation(), token);
        }
    }

    /** Tells this ledger from every other, for as long as it exists. */
    String identity();

    /**
     * Makes these the feature's partitions. New ones begin with an incarnation that is not ready.
     *
     * @throws HotstateException where other instances that live use another set of partitions for this feature
     */
    void enroll(String feature, List<Partition> partitions, String instance);

    /** Tells that an instance lives. */
    void heartbeat(String instance, List<String> features);

    /** All partitions of these features, also those that were retired and wait to be wiped. */
    List<Entry> entries(List<String> features);

    /**
     * Declares an incarnation lost, if it still is the current one and ready: the next one begins, above {@code atLeast}.
     */
    void lose(String feature, Partition partition, long incarnation, long atLeast, String reason);

    /** Takes the rebuild of an incarnation that nobody holds. */
    Optional<Rebuilding> claim(String feature, Partition partition, long incarnation, String instance, Duration lease);

    /** Writes down how many entries a rebuild has loaded, and keeps it; false where another has taken it. */
    boolean progress(Rebuilding rebuilding, long done, Duration lease);

    /** Marks an incarnation ready; false where another has taken the rebuild. */
    boolean complete(Rebuilding rebuilding);

    /** Forgets a retired partition that was wiped. */
    void remove(Rebuilding rebuilding);

    /** Writes down beats that were seen; one that is less than the known, or of a past incarnation, is passed over. */
    void beats(List<Beat> beats);

    /** The last beat that an instance saw of an incarnation. */
    record Beat(String feature, Partition partition, long incarnation, long beat) {}
}
