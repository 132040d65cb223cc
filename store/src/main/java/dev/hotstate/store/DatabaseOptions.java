package dev.hotstate.store;

import java.time.Duration;

/**
 * How to use PostgreSQL.
 *
 * @param maxConnections the most connections that the pool opens
 * @param connectTimeout the longest that opening the database, or waiting for a connection, may take
 * @param queryTimeout the longest that one statement may run; PostgreSQL ends it then. A migration is not bound by it
 * @param applicationName how these connections are called in {@code pg_stat_activity}
 */
public record DatabaseOptions(
        DatabaseUrl url, int maxConnections, Duration connectTimeout, Duration queryTimeout, String applicationName) {
    private static final Duration SHORTEST = Duration.ofSeconds(1); // the driver counts whole seconds
    private static final Duration LONGEST = Duration.ofHours(1);

    public DatabaseOptions {
        if (maxConnections < 1 || maxConnections > 1000) {
            throw new IllegalArgumentException("maxConnections must be from 1 to 1000, not " + maxConnections);
        }
        requireTimeout("connectTimeout", connectTimeout);
        requireTimeout("queryTimeout", queryTimeout);
        if (applicationName.isBlank()) {
            throw new IllegalArgumentException("applicationName must not be blank");
        }
    }

    /** Ten connections, 5 s to connect, 30 s a statement, the name "hotstate", unless the URL says otherwise. */
    public static DatabaseOptions of(DatabaseUrl url) {
        String name = url.parameters().getOrDefault("ApplicationName", "hotstate");
        Duration connectTimeout = seconds(url.parameters().getOrDefault("connectTimeout", "5"));
        return new DatabaseOptions(url, 10, connectTimeout, Duration.ofSeconds(30), name);
    }

    /** @throws IllegalArgumentException saying in one sentence what is wrong with the URL */
    public static DatabaseOptions of(String url) {
        return of(DatabaseUrl.parse(url));
    }

    public DatabaseOptions withMaxConnections(int maxConnections) {
        return new DatabaseOptions(url, maxConnections, connectTimeout, queryTimeout, applicationName);
    }

    public DatabaseOptions withConnectTimeout(Duration connectTimeout) {
        return new DatabaseOptions(url, maxConnections, connectTimeout, queryTimeout, applicationName);
    }

    public DatabaseOptions withQueryTimeout(Duration queryTimeout) {
        return new DatabaseOptions(url, maxConnections, connectTimeout, queryTimeout, applicationName);
    }

    public DatabaseOptions withApplicationName(String applicationName) {
        return new DatabaseOptions(url, maxConnections, connectTimeout, queryTimeout, applicationName);
    }

    /** Whether the password and the data could travel unencrypted over a network. */
    public boolean isPlaintextBeyondLoopback() {
        return url.isPlaintextBeyondLoopback();
    }

    private static Duration seconds(String text) {
        try {
            return Duration.ofSeconds(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "connect_timeout in the PostgreSQL URL must be a number of seconds, not \"" + text + "\".", e);
        }
    }

    private static void requireTimeout(String field, Duration value) {
        if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(field + " must be from 1 s to 1 h, not " + value);
        }
    }
}
