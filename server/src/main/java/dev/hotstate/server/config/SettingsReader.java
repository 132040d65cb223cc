package dev.hotstate.server.config;

import static dev.hotstate.server.config.DeclaredSettings.*;

import java.util.ArrayList;
import java.util.List;

/** Turns given texts into the checked record; notes every bad value, so that a user mends all of them at once. */
final class SettingsReader {
    private final Source source;
    private final List<String> problems;

    SettingsReader(Source source) {
        this.source = source;
        this.problems = new ArrayList<>(source.problems());
    }

    Settings read() {
        try {
            var settings = settings();
            if (problems.isEmpty()) {
                return settings;
            }
        } catch (IllegalArgumentException disagreement) {
            problems.add(disagreement.getMessage());
        }
        throw new InvalidSettingsException(problems);
    }

    private Settings settings() {
        var env = get(ENV);
        var app = get(APP);
        var prefix = get(KEY_PREFIX);
        return new Settings(
                env,
                app,
                prefix.isEmpty() ? env + ":" + app : prefix,
                get(HOST),
                get(PORT),
                get(DATA),
                redis(),
                new Settings.Postgres(get(POSTGRES_URL), get(POSTGRES_CONNECTIONS), get(POSTGRES_TIMEOUT)),
                get(FEATURES),
                get(AUTH_TOKENS),
                new Settings.Tls(get(TLS_CERTIFICATE), get(TLS_KEY)),
                new Settings.Http(get(HTTP_MAX_BODY), get(HTTP_ALLOWED_HOSTS), get(HTTP_RATE_LIMIT)),
                monitors(),
                jobs(),
                drivers(),
                new Settings.Audit(get(AUDIT_EVERY), get(AUDIT_SAMPLE), get(AUDIT_WATCH), get(AUDIT_RETENTION)),
                get(ALLOW_PLAINTEXT),
                get(LOG_LEVEL),
                get(SHUTDOWN_TIMEOUT));
    }

    private Settings.Monitors monitors() {
        return new Settings.Monitors(
                get(MONITORS_PARTITIONS),
                get(MONITORS_CHECKS),
                get(MONITORS_PER_HOST),
                get(MONITORS_ALLOW_ADDRESSES),
                get(MONITORS_PUBLIC_URL),
                new Settings.Retention(
                        get(MONITORS_RETENTION_RESULTS),
                        get(MONITORS_RETENTION_MINUTES),
                        get(MONITORS_RETENTION_HOURS),
                        get(MONITORS_RETENTION_DAYS),
                        get(MONITORS_RETENTION_INCIDENTS)));
    }

    private Settings.Jobs jobs() {
        return new Settings.Jobs(
                get(JOBS_PARTITIONS),
                get(JOBS_KEEP),
                get(JOBS_RETENTION),
                get(JOBS_ARCHIVE_LIMIT),
                new Settings.JobRunner(
                        get(JOBS_SHELL),
                        get(JOBS_HTTP),
                        get(JOBS_CONCURRENCY),
                        get(JOBS_QUEUES),
                        get(JOBS_ALLOW_ADDRESSES)));
    }

    private Settings.Drivers drivers() {
        return new Settings.Drivers(
                get(DRIVERS_HEARTBEAT),
                get(DRIVERS_WRITE_BEHIND),
                get(DRIVERS_FORGET),
                new Settings.Score(
                        get(DRIVERS_SCORE_DISTANCE),
                        get(DRIVERS_SCORE_IDLE),
                        get(DRIVERS_SCORE_RATING),
                        get(DRIVERS_SCORE_LONGEST_IDLE)),
                new Settings.Tiles(get(DRIVERS_TILES_URL), get(DRIVERS_TILES_ATTRIBUTION)));
    }

    private Settings.Redis redis() {
        return new Settings.Redis(
                get(REDIS_URL),
                get(REDIS_TIMEOUT),
                get(REDIS_DEADLINE),
                get(REDIS_CONNECTIONS_MIN),
                get(REDIS_CONNECTIONS_MAX),
                get(REDIS_QUEUE),
                new Settings.Breaker(get(REDIS_BREAKER_FAILURES), get(REDIS_BREAKER_OPEN), get(REDIS_BREAKER_PROBE)),
                get(REDIS_TOPOLOGY_REFRESH));
    }

    /** The given value, or the declared one; after a bad one reading goes on with the declared one. */
    private <T> T get(Setting<T> setting) {
        var given = source.values().get(setting.name());
        if (given != null) {
            try {
                return setting.kind().parse(given.text());
            } catch (IllegalArgumentException | ArithmeticException bad) {
                var value = setting.secret() ? "not valid" : "\"" + given.text() + "\"";
                problems.add(given.where() + " is " + value + "; give "
                        + setting.kind().accepts());
            }
        }
        return setting.kind().parse(setting.fallback());
    }
}
