package dev.hotstate.server.config;

import dev.hotstate.core.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** The whole configuration, checked. Its text form shows no secret. */
public record Settings(
        String env,
        String app,
        String keyPrefix,
        String host,
        int port,
        Path data,
        Redis redis,
        Postgres postgres,
        Set<String> features,
        TokenPolicy tokens,
        Tls tls,
        Http http,
        Monitors monitors,
        Jobs jobs,
        Drivers drivers,
        Audit audit,
        Set<String> allowPlaintext,
        LogLevel logLevel,
        Duration shutdownTimeout) {

    /** The capabilities that the {@code features} key can switch. */
    public static final List<String> KNOWN_FEATURES =
            List.of("limits", "traffic", "monitors", "jobs", "drivers", "audit");

    public Settings {
        features = Set.copyOf(features);
        allowPlaintext = Set.copyOf(allowPlaintext);
        for (var server : plaintextServers(redis, postgres)) {
            if (isProduction(env) && !allowPlaintext.contains(server)) {
                throw new IllegalArgumentException("with env " + env + ", " + server
                        + ".url must use TLS because the server is not on this machine; give a TLS URL, or name "
                        + server + " in allow_plaintext");
            }
        }
    }

    /**
     * Reads the file that the flag {@code --config} or the environment names (else hotstate.yaml of the folder if it is
     * there), then the environment, then the flags; each beats the one before.
     *
     * @param flags by option, such as {@code --port}
     * @throws InvalidSettingsException naming everything that is wrong
     */
    public static Settings load(Path folder, Map<String, String> environment, Map<String, String> flags) {
        return SettingsFiles.read(folder, environment, flags)
                .and(Source.environment(environment))
                .and(Source.flags(flags))
                .settings();
    }

    /** What every setting is when nothing at all is given. */
    public static Settings defaults() {
        return Source.flags(Map.of()).settings();
    }

    /** The listener can be reached from this machine alone. */
    public boolean onLoopback() {
        return Loopback.is(host);
    }

    /** Requests a second for one caller; 0 for as many as he likes. */
    public int rateLimit() {
        return http.rateLimit().orElse(onLoopback() ? 0 : Http.USUAL_RATE_LIMIT);
    }

    /** Callers must show a token. */
    public boolean tokensNeeded() {
        return tokens == TokenPolicy.REQUIRED || !onLoopback();
    }

    /** Which of {@code redis} and {@code postgres} is remote and reached in plaintext. */
    public List<String> plaintextServers() {
        return plaintextServers(redis, postgres);
    }

    /**
     * Keys of the features that are on stay short enough.
     *
     * @param most characters that the prefix may have for that
     * @throws InvalidSettingsException saying what to set instead
     */
    public void requirePrefixWithin(int most) {
        if (keyPrefix.length() > most) {
            var shorten = keyPrefix.equals(env + ":" + app)
                    ? "a shorter HOTSTATE_APP, or HOTSTATE_KEY_PREFIX"
                    : "a shorter HOTSTATE_KEY_PREFIX";
            throw new InvalidSettingsException(
                    List.of("keys would begin with \"" + keyPrefix + "\", which is " + keyPrefix.length()
                            + " characters; with these features at most " + most + " fit: set " + shorten));
        }
    }

    public boolean isProduction() {
        return isProduction(env);
    }

    private static boolean isProduction(String env) {
        return env.equals("prod") || env.equals("production");
    }

    private static List<String> plaintextServers(Redis redis, Postgres postgres) {
        var servers = new ArrayList<String>();
        if (plaintext(redis.url)) {
            servers.add("redis");
        }
        if (plaintext(postgres.url)) {
            servers.add("postgres");
        }
        return servers;
    }

    private static boolean plaintext(ServerUrl url) {
        return url.isGiven() && !url.encrypted() && !url.onLoopback();
    }

    /** When callers need a token. */
    public enum TokenPolicy {
        AUTO,
        REQUIRED
    }

    /** How much is logged. */
    public enum LogLevel {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR
    }

    /** How Redis is reached. */
    public record Redis(
            ServerUrl url,
            Duration timeout,
            Duration deadline,
            int minConnections,
            int maxConnections,
            int queue,
            Breaker breaker,
            Duration topologyRefresh) {
        public Redis {
            if (minConnections > maxConnections) {
                throw new IllegalArgumentException("redis.connections.min is " + minConnections
                        + ", which is more than redis.connections.max, " + maxConnections);
            }
            if (timeout.compareTo(deadline) > 0) {
                throw new IllegalArgumentException("redis.timeout is " + timeout.toMillis()
                        + "ms, which is more than redis.deadline, " + deadline.toMillis() + "ms");
            }
        }
    }

    /** When a node's circuit breaker opens and closes. */
    public record Breaker(int failures, Duration open, Duration probe) {}

    /** How PostgreSQL is reached; the URL is a JDBC one. */
    public record Postgres(ServerUrl url, int connections, Duration timeout) {}

    /** The PEM files for HTTPS; both are empty for HTTP. */
    public record Tls(String certificate, String key) {
        public Tls {
            if (certificate.isEmpty() != key.isEmpty()) {
                var missing = key.isEmpty() ? "tls.key" : "tls.certificate";
                throw new IllegalArgumentException(
                        missing + " is missing; HTTPS needs both tls.certificate and tls.key");
            }
        }

        public boolean isOn() {
            return !certificate.isEmpty();
        }
    }

    /**
     * Limits of the HTTP listener.
     *
     * @param rateLimit empty where the address decides
     */
    public record Http(long maxBody, Set<String> allowedHosts, OptionalInt rateLimit) {
        static final int USUAL_RATE_LIMIT = 1_000;

        public Http {
            allowedHosts = Set.copyOf(allowedHosts);
        }
    }

    /**
     * How monitors are checked and remembered.
     *
     * @param allowAddresses ranges of addresses that are reached although they are banned
     * @param publicUrl empty for the host that a request names
     */
    public record Monitors(
            int partitions,
            int checks,
            int perHost,
            Set<String> allowAddresses,
            String publicUrl,
            Retention retention) {
        public Monitors {
            allowAddresses = Set.copyOf(allowAddresses);
            if (perHost > checks) {
                throw new IllegalArgumentException(
                        "monitors.per_host is " + perHost + ", which is more than monitors.checks, " + checks);
            }
        }
    }

    /** For how many days history is kept, by how finely it is divided, and incidents that are over. */
    public record Retention(int results, int minutes, int hours, int days, int incidents) {
        public Retention {
            if (hours > days) {
                throw new IllegalArgumentException("monitors.retention.hours is " + hours
                        + ", which is more than monitors.retention.days, " + days);
            }
        }
    }

    /**
     * How jobs are kept and run.
     *
     * @param keep how long an ended job stays in Redis
     * @param retention how long it stays in PostgreSQL
     * @param archiveLimit entries of a partition's archive beyond which no task is handed out
     */
    public record Jobs(int partitions, Duration keep, Duration retention, int archiveLimit, JobRunner runner) {
        public Jobs {
            if (keep.compareTo(retention) > 0) {
                throw new IllegalArgumentException("jobs.keep is " + Durations.print(keep)
                        + ", which is more than jobs.retention, " + Durations.print(retention));
            }
        }
    }

    /**
     * Which tasks this instance runs itself.
     *
     * @param allowAddresses ranges of addresses that are reached although they are banned
     */
    public record JobRunner(
            boolean shell, boolean http, int concurrency, Set<String> queues, Set<String> allowAddresses) {
        public JobRunner {
            queues = Set.copyOf(queues);
            allowAddresses = Set.copyOf(allowAddresses);
        }
    }

    /**
     * How drivers are kept.
     *
     * @param heartbeat how long an available driver is found after its last fix
     * @param writeBehind how often positions are written to PostgreSQL
     * @param forget how long a silent one stays in Redis
     */
    public record Drivers(Duration heartbeat, Duration writeBehind, Duration forget, Score score, Tiles tiles) {
        public Drivers {
            if (forget.compareTo(heartbeat) < 0) {
                throw new IllegalArgumentException("drivers.forget is " + Durations.print(forget)
                        + ", which is less than drivers.heartbeat, " + Durations.print(heartbeat));
            }
        }
    }

    /** What weighs how much where drivers are sorted by score. */
    public record Score(double distance, double idle, double rating, Duration longestIdle) {}

    /**
     * What lies below drivers on the dashboard's map.
     *
     * @param url with {@code {z}}, {@code {x}} and {@code {y}} in it; empty for nothing
     */
    public record Tiles(String url, String attribution) {}

    /**
     * How the server holds its own Redis against its declarations.
     *
     * @param every zero: only when somebody asks
     * @param sample keys of each family that are looked at
     * @param watch between the two looks that rates are made of
     * @param retention how long PostgreSQL keeps what was found
     */
    public record Audit(Duration every, int sample, Duration watch, Duration retention) {}
}
