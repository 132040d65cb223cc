package dev.hotstate.monitors.alert;

import dev.hotstate.store.Database;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Where alerts can go. */
public final class Channels {
    private final PostgresChannels store;
    private final InstantSource clock;

    public Channels(Database database, InstantSource clock) {
        this.store = new PostgresChannels(database);
        this.clock = clock;
    }

    /** All of them, by id. */
    public List<Channel> list() {
        return store.list();
    }

    public Optional<Channel> find(String id) {
        return store.find(id);
    }

    /**
     * Makes it, or puts it in the place of the one with its id, whose secrets stay where this one says to keep them.
     * Alerts that wait for another attempt at it are tried now.
     *
     * @return as it is stored
     * @throws IllegalArgumentException when there is nothing to keep, or it would go to another server; the sentence begins
     *     with the field's name
     */
    public Channel put(Channel channel) {
        return store.put(channel, clock.instant());
    }

    /** False when there is none of that id. Alerts that still wait for it are given up. */
    public boolean delete(String id) {
        return store.delete(id);
    }

    /** Those of the ids that name no channel. */
    public Set<String> missing(Collection<String> ids) {
        return store.missing(ids);
    }
}
