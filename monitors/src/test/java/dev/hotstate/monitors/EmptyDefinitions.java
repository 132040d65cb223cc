package dev.hotstate.monitors;

import dev.hotstate.store.Database;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.SettableClock;
import dev.hotstate.testkit.Testkit;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Definitions in which nothing is when a test begins, on one database for all tests of a class. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EmptyDefinitions {
    SettableClock clock;
    Database database;
    Directory directory;
    Definitions definitions;

    @BeforeAll
    void connect(PostgresDatabase place) {
        database = Some.database(place);
    }

    @AfterAll
    void disconnect() {
        database.close();
    }

    @BeforeEach
    void open() {
        Some.empty(database);
        // Finer than PostgreSQL keeps it.
        clock = SettableClock.at(Instant.parse("2026-05-01T12:00:00.123456789Z"));
        directory = Directory.load(database);
        definitions = new Definitions(database, directory, clock, Some::missing);
    }

    @AfterEach
    void close() {
        directory.close();
    }
}
