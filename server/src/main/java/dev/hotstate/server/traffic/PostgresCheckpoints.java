package dev.hotstate.server.traffic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.hotstate.store.Database;
import dev.hotstate.traffic.Checkpoint;
import dev.hotstate.traffic.Checkpoints;
import java.time.ZoneOffset;
import java.util.Optional;

/** The last checkpoint, in PostgreSQL as JSON: it is only ever read whole, and people can read it too. */
final class PostgresCheckpoints implements Checkpoints {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build();

    private final Database database;

    PostgresCheckpoints(Database database) {
        this.database = database;
    }

    @Override
    public Optional<Checkpoint> latest() {
        return database.withHandle(handle -> handle.createQuery("SELECT totals::text FROM traffic_checkpoint")
                        .mapTo(String.class)
                        .findOne())
                .map(PostgresCheckpoints::parsed);
    }

    /** Replaces the one before, unless that has counted more: an instance that hung must not take the totals back. */
    void save(Checkpoint checkpoint) {
        database.useHandle(handle -> handle.createUpdate("""
                        INSERT INTO traffic_checkpoint AS present (at, totals) VALUES (:at, :totals::jsonb)
                        ON CONFLICT (one) DO UPDATE SET at = excluded.at, totals = excluded.totals
                        WHERE (present.totals ->> 'total')::bigint <= :total""")
                .bind("at", checkpoint.at().atOffset(ZoneOffset.UTC))
                .bind("totals", printed(checkpoint))
                .bind("total", checkpoint.total())
                .execute());
    }

    private static Checkpoint parsed(String json) {
        try {
            return MAPPER.readValue(json, Checkpoint.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the checkpoint in traffic_checkpoint cannot be read: " + json, e);
        }
    }

    private static String printed(Checkpoint checkpoint) {
        try {
            return MAPPER.writeValueAsString(checkpoint);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a checkpoint cannot be written as JSON", e);
        }
    }
}
