package dev.hotstate.monitors.alert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.hotstate.store.Database;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Channels in PostgreSQL, as their documents with the secrets written out. */
final class PostgresChannels {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private final Database database;

    PostgresChannels(Database database) {
        this.database = database;
    }

    List<Channel> list() {
        return database.withHandle(
                handle -> handle.createQuery("SELECT id, settings FROM monitors_channels ORDER BY id")
                        .map((row, context) -> read(row.getString("id"), row.getString("settings")))
                        .list());
    }

    Optional<Channel> find(String id) {
        return database.withHandle(handle -> find(handle, id, ""));
    }

    Channel put(Channel channel, Instant now) {
        return database.inTransaction(handle -> {
            Channel merged =
                    find(handle, channel.id(), "FOR UPDATE").map(channel::over).orElseGet(channel::alone);
            handle.createUpdate("""
                            INSERT INTO monitors_channels (id, settings, created_at, updated_at)
                            VALUES (:id, cast(:settings AS jsonb), :now, :now)
                            ON CONFLICT (id) DO UPDATE
                            SET settings = excluded.settings, updated_at = excluded.updated_at""")
                    .bind("id", merged.id())
                    .bind("settings", write(merged))
                    .bind("now", now.atOffset(ZoneOffset.UTC))
                    .execute();
            makeDue(handle, merged.id());
            return merged;
        });
    }

    boolean delete(String id) {
        return database.inTransaction(handle -> {
            int deleted = handle.createUpdate("DELETE FROM monitors_channels WHERE id = :id")
                    .bind("id", id)
                    .execute();
            makeDue(handle, id);
            return deleted == 1;
        });
    }

    Set<String> missing(Collection<String> ids) {
        return database.withHandle(handle -> handle.createQuery("""
                        SELECT wanted FROM unnest(:ids) AS wanted
                        WHERE NOT EXISTS (SELECT FROM monitors_channels WHERE id = wanted)""")
                .bindArray("ids", String.class, ids)
                .mapTo(String.class)
                .set());
    }

    static Channel read(String id, String settings) {
        try {
            return JSON.readValue(settings, ChannelDocument.class).toChannel(id).alone();
        } catch (JsonProcessingException malformed) {
            // Not the parser's own words: they quote what they stumble over.
            throw new IllegalArgumentException("settings of channel " + id + " cannot be read");
        }
    }

    private static String write(Channel channel) {
        try {
            return JSON.writeValueAsString(ChannelDocument.of(
                    channel, Secret::reveal, url -> url.reveal().toString()));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("settings of channel " + channel.id() + " cannot be written", impossible);
        }
    }

    private static Optional<Channel> find(Handle handle, String id, String lock) {
        return handle.createQuery("SELECT settings FROM monitors_channels WHERE id = :id " + lock)
                .bind("id", id)
                .mapTo(String.class)
                .findOne()
                .map(settings -> read(id, settings));
    }

    /** A channel that was mended, or is gone, is not worth a wait. */
    private static void makeDue(Handle handle, String channel) {
        handle.createUpdate("""
                        UPDATE monitors_deliveries SET due_at = now()
                        WHERE channel = :channel AND status = 'pending' AND due_at > now()""").bind("channel", channel).execute();
    }
}
