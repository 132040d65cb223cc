package dev.hotstate.server.config;

import static dev.hotstate.server.config.Setting.of;

import dev.hotstate.server.text.NearestName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** Every key there is, once. Adding one here documents it, parses it and lets its misspellings be noticed. */
final class DeclaredSettings {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String NAME = "[A-Za-z0-9._-]{1,32}";

    static final Setting<String> ENV = of(
            "env",
            Kind.text("a word such as dev, stg or prod", "[a-z0-9-]{1,16}"),
            "dev",
            "The environment; first part of every key. With prod, plaintext to a remote server is refused.");
    static final Setting<String> APP = of(
            "app",
            Kind.text("1 to 32 letters, digits, dots, hyphens or underscores", NAME),
            "hotstate",
            "The application; second part of every key.");
    static final Setting<String> KEY_PREFIX = of(
            "key_prefix",
            Kind.text(
                    "names joined by colons, at most 13 characters (20 without jobs), such as dev:hotstate",
                    "(?=.{0,20}$)(" + NAME + "(:" + NAME + ")*)?"),
            "",
            "What every key in Redis begins with; empty means <env>:<app>, with the same limit.");

    static final Setting<String> HOST = of(
                    "host",
                    Kind.text("an address or a host name", "[A-Za-z0-9._:-]{1,253}"),
                    "127.0.0.1",
                    "The address to listen on; any other than loopback needs tokens.")
            .withFlag("--host");
    static final Setting<Integer> PORT = of(
                    "port", Kind.number(0, 65535), "8080", "The port to listen on; 0 takes any free one.")
            .withFlag("--port");
    static final Setting<Path> DATA = of(
                    "data",
                    Kind.file("a folder"),
                    ".hotstate",
                    "The folder of the embedded servers' data, relative to the working directory.")
            .withFlag("--data");

    static final Setting<ServerUrl> REDIS_URL = of(
                    "redis.url",
                    new Kind<>(
                            "redis://, rediss:// (TLS), redis-cluster://h1:p1,h2:p2 or redis-sentinel://h1:p1,h2:p2#master,"
                                    + " with special characters of a password percent-encoded",
                            ServerUrl::redis),
                    "",
                    "The Redis to use; empty starts an embedded one, which is not for production.")
            .withVariable("HOTSTATE_REDIS")
            .withFlag("--redis")
            .asSecret();
    static final Setting<Duration> REDIS_TIMEOUT =
            of("redis.timeout", Kind.duration(MINUTE), "250ms", "How long one command may take.");
    static final Setting<Duration> REDIS_DEADLINE =
            of("redis.deadline", Kind.duration(MINUTE), "2s", "How long one call may take with all its retries.");
    static final Setting<Integer> REDIS_CONNECTIONS_MIN = of(
            "redis.connections.min", Kind.number(1, 1000), "5", "Connections that are kept open, each shared by many.");
    static final Setting<Integer> REDIS_CONNECTIONS_MAX = of(
            "redis.connections.max",
            Kind.number(1, 1000),
            "20",
            "Connections at most, each shared by many. With jobs up to four more a node, for one call at a time.");
    static final Setting<Integer> REDIS_QUEUE = of(
            "redis.queue",
            Kind.number(1, 1_000_000),
            "10000",
            "Commands that may wait for an answer; more are refused at once.");
    static final Setting<Integer> REDIS_BREAKER_FAILURES = of(
            "redis.breaker.failures",
            Kind.number(1, 1000),
            "5",
            "Failures in a row after which a node's circuit breaker opens.");
    static final Setting<Duration> REDIS_BREAKER_OPEN = of(
            "redis.breaker.open", Kind.duration(HOUR), "30s", "How long a breaker stays open before it tries again.");
    static final Setting<Duration> REDIS_BREAKER_PROBE = of(
            "redis.breaker.probe",
            Kind.duration(HOUR),
            "500ms",
            "How often an open breaker's node is probed; an answer closes it early.");
    static final Setting<Duration> REDIS_TOPOLOGY_REFRESH = of(
            "redis.topology_refresh",
            Kind.duration(HOUR),
            "5s",
            "How often the nodes of a Cluster are asked for anew.");

    static final Setting<ServerUrl> POSTGRES_URL = of(
                    "postgres.url",
                    new Kind<>(
                            "postgresql://user:password@host:5432/database or jdbc:postgresql://host:5432/database?user=…,"
                                    + " with special characters of a password percent-encoded",
                            ServerUrl::postgres),
                    "",
                    "The PostgreSQL to use; empty starts an embedded one, which is not for production.")
            .withVariable("HOTSTATE_POSTGRES")
            .withFlag("--postgres")
            .asSecret();
    static final Setting<Integer> POSTGRES_CONNECTIONS =
            of("postgres.connections", Kind.number(1, 1000), "10", "Connections at most.");
    static final Setting<Duration> POSTGRES_TIMEOUT = of(
            "postgres.timeout",
            Kind.duration(Duration.ofSeconds(1), HOUR),
            "5s",
            "How long to wait for a connection, and for a statement.");

    static final Setting<Set<String>> FEATURES = of(
            "features",
            Kind.listOf(Settings.KNOWN_FEATURES),
            String.join(", ", Settings.KNOWN_FEATURES),
            "The capabilities that are on; the others have no routes, pages or migrations.");

    static final Setting<Settings.TokenPolicy> AUTH_TOKENS = of(
            "auth.tokens",
            Kind.choice(Settings.TokenPolicy.class),
            "auto",
            "When callers need a token: auto means on any address but loopback.");
    static final Setting<String> TLS_CERTIFICATE = of(
            "tls.certificate",
            Kind.optionalFile("a PEM file"),
            "",
            "The certificate chain for HTTPS; empty means HTTP. Needs tls.key.");
    static final Setting<String> TLS_KEY = of(
            "tls.key",
            Kind.optionalFile("a PEM file"),
            "",
            "The private key of the certificate. Needs tls.certificate.");

    static final Setting<Long> HTTP_MAX_BODY = of(
            "http.max_body",
            Kind.size("64MB"),
            "1MB",
            "The largest request body; a larger one is answered 413. POST /traffic/requests takes 4 MB in any case, POST /jobs"
                    + " 64 MB, POST /tasks/complete 8 MB, POST /drivers/locations 4 MB.");
    static final Setting<Set<String>> HTTP_ALLOWED_HOSTS = of(
            "http.allowed_hosts",
            Kind.hostNames(),
            "",
            "Further names that a request's Host and Origin may carry, such as that of a proxy.");

    static final Setting<OptionalInt> HTTP_RATE_LIMIT = of(
            "http.rate_limit",
            Kind.numberOrAuto(0, 1_000_000),
            "auto",
            "Requests a second for one caller, by token or address, over all instances; 0 means any number, auto 1000"
                    + " on any address but loopback. Needs the feature limits.");

    static final Setting<Integer> MONITORS_PARTITIONS = of(
            "monitors.partitions",
            Kind.number(1, 64),
            "1",
            "Into how many partitions monitors are divided, each of which one Redis node holds; the same on all instances.");
    static final Setting<Integer> MONITORS_CHECKS =
            of("monitors.checks", Kind.number(1, 10_000), "500", "Checks that this instance has under way at once.");
    static final Setting<Integer> MONITORS_PER_HOST = of(
            "monitors.per_host",
            Kind.number(1, 10_000),
            "50",
            "How many of them may be to one host; at most monitors.checks.");
    static final Setting<Set<String>> MONITORS_ALLOW_ADDRESSES = of(
            "monitors.allow_addresses",
            Kind.addressRanges(),
            "",
            "Ranges of addresses that checks and alerts may reach although they are link-local or a cloud's metadata.");
    static final Setting<String> MONITORS_PUBLIC_URL = of(
            "monitors.public_url",
            Kind.text(
                    "a URL such as https://status.example.org",
                    "(https?://[A-Za-z0-9._:\\[\\]-]{1,253}(/[^\\s?#]*)?)?"),
            "",
            "How jobs reach this server: the beginning of ping URLs; empty means as the request did that asks for one.");
    static final Setting<Integer> MONITORS_RETENTION_RESULTS =
            of("monitors.retention.results", Kind.number(2, 90), "2", "Days for which each result of a check is kept.");
    static final Setting<Integer> MONITORS_RETENTION_MINUTES =
            of("monitors.retention.minutes", Kind.number(8, 366), "8", "Days for which history is kept by the minute.");
    static final Setting<Integer> MONITORS_RETENTION_HOURS =
            of("monitors.retention.hours", Kind.number(91, 3_660), "91", "Days for which history is kept by the hour.");
    static final Setting<Integer> MONITORS_RETENTION_DAYS = of(
            "monitors.retention.days",
            Kind.number(91, 36_600),
            "731",
            "Days for which history is kept by the day; at least monitors.retention.hours.");
    static final Setting<Integer> MONITORS_RETENTION_INCIDENTS = of(
            "monitors.retention.incidents",
            Kind.number(30, 36_600),
            "365",
            "Days for which an incident that is over is kept, with its timeline.");

    static final Setting<Integer> JOBS_PARTITIONS = of(
            "jobs.partitions",
            Kind.number(1, 64),
            "4",
            "Into how many partitions jobs are divided, each of which one Redis node holds; the same on all instances.");
    static final Setting<Boolean> JOBS_SHELL = of(
            "jobs.shell",
            Kind.flag(),
            "false",
            "Whether this instance accepts and runs tasks that are shell commands: whoever may submit a job may then do"
                    + " here whatever the server's user may.");
    static final Setting<Boolean> JOBS_HTTP = of(
            "jobs.http", Kind.flag(), "true", "Whether this instance accepts and runs tasks that are HTTP requests.");
    static final Setting<Integer> JOBS_CONCURRENCY = of(
            "jobs.concurrency",
            Kind.number(1, 10_000),
            "16",
            "Shell commands and HTTP requests of tasks that this instance has under way at once.");
    static final Setting<Set<String>> JOBS_QUEUES = of(
            "jobs.queues",
            Kind.names(),
            "",
            "The queues whose shell commands and HTTP requests this instance runs; empty means every one.");
    static final Setting<Set<String>> JOBS_ALLOW_ADDRESSES = of(
            "jobs.allow_addresses",
            Kind.addressRanges(),
            "",
            "Ranges of addresses that tasks may request although they are link-local or a cloud's metadata.");
    static final Setting<Duration> JOBS_KEEP = of(
            "jobs.keep",
            Kind.duration(MINUTE, Duration.ofDays(30)),
            "24h",
            "How long an ended job stays in Redis; PostgreSQL has it from then on.");
    static final Setting<Duration> JOBS_RETENTION = of(
            "jobs.retention",
            Kind.duration(Duration.ofHours(1), Duration.ofDays(3_650)),
            "30d",
            "How long PostgreSQL keeps an ended job, with its tasks and logs; at least jobs.keep.");
    static final Setting<Integer> JOBS_ARCHIVE_LIMIT = of(
            "jobs.archive_limit",
            Kind.number(10, 1_000_000),
            "5000",
            "Entries of a partition's archive that may wait for PostgreSQL; above that no task is handed out.");

    static final Setting<Duration> DRIVERS_HEARTBEAT = of(
            "drivers.heartbeat",
            Kind.duration(Duration.ofSeconds(1), HOUR),
            "60s",
            "How long an available driver is found after its last fix; then it is OFFLINE. The same on all instances.");
    static final Setting<Duration> DRIVERS_WRITE_BEHIND = of(
            "drivers.write_behind",
            Kind.duration(Duration.ofMillis(100), MINUTE),
            "1s",
            "How often positions are written to PostgreSQL. A killed instance takes those with it that were not written yet: an interval of them while PostgreSQL keeps up, more where it does not, as the health shows.");
    static final Setting<Duration> DRIVERS_FORGET = of(
            "drivers.forget",
            Kind.duration(HOUR, Duration.ofDays(365)),
            "7d",
            "How long a silent driver stays in Redis; PostgreSQL keeps it.");
    static final Setting<Double> DRIVERS_SCORE_DISTANCE = of(
            "drivers.score.distance",
            Kind.decimal(0, 1_000),
            "0.7",
            "With sort=score, how much nearness weighs: all of it beside the place, nothing at the radius.");
    static final Setting<Double> DRIVERS_SCORE_IDLE =
            of("drivers.score.idle", Kind.decimal(0, 1_000), "0.15", "How much it weighs to have been free for long.");
    static final Setting<Duration> DRIVERS_SCORE_LONGEST_IDLE = of(
            "drivers.score.longest_idle",
            Kind.duration(Duration.ofSeconds(1), Duration.ofDays(7)),
            "30m",
            "Who has been free for so long gets all of that weight.");
    static final Setting<Double> DRIVERS_SCORE_RATING = of(
            "drivers.score.rating",
            Kind.decimal(0, 1_000),
            "0.15",
            "How much the rating weighs: all of it for 5; no rating counts as 2.5.");
    static final Setting<String> DRIVERS_TILES_URL = of(
            "drivers.tiles.url",
            Kind.text(
                    "a URL such as https://tiles.example.org/{z}/{x}/{y}.png, with {z}, {x} and {y} in its path",
                    "(https?://[A-Za-z0-9._:\\[\\]-]{1,253}/(?=\\S*\\{z})(?=\\S*\\{x})(?=\\S*\\{y})[^\\s\"'<>;,]{1,500})?"),
            "",
            "Where the dashboard's map of drivers gets its tiles; that server must allow other origins. Empty: it needs none.");
    static final Setting<String> DRIVERS_TILES_ATTRIBUTION = of(
            "drivers.tiles.attribution",
            Kind.text("a text of at most 200 characters", "\\P{Cntrl}{0,200}"),
            "",
            "What the owner of the tiles wants to be read on the map.");

    static final Setting<Duration> AUDIT_EVERY = of(
            "audit.every",
            Kind.duration(Duration.ZERO, Duration.ofDays(30)),
            "1h",
            "How often the server's own Redis is held against the declared keyspace; 0s means only when somebody asks.");
    static final Setting<Integer> AUDIT_SAMPLE = of(
            "audit.sample",
            Kind.number(1, 1_000_000),
            "400",
            "Keys of each family whose type, TTL, size and fields are looked at; names are all read.");
    static final Setting<Duration> AUDIT_WATCH = of(
            "audit.watch",
            Kind.duration(Duration.ofMinutes(10)),
            "2s",
            "The time between the two looks that the rates of an audit are made of.");
    static final Setting<Duration> AUDIT_RETENTION = of(
            "audit.retention",
            Kind.duration(Duration.ofHours(1), Duration.ofDays(3_650)),
            "90d",
            "How long PostgreSQL keeps what audits counted; whole reports are kept of the last 48.");
    static final Setting<Set<String>> ALLOW_PLAINTEXT = of(
            "allow_plaintext",
            Kind.listOf(List.of("redis", "postgres")),
            "",
            "With env prod: the remote servers that may be reached without TLS.");
    static final Setting<Settings.LogLevel> LOG_LEVEL =
            of("log.level", Kind.choice(Settings.LogLevel.class), "info", "How much goes to standard error.");
    static final Setting<Duration> SHUTDOWN_TIMEOUT = of(
            "shutdown_timeout",
            Kind.duration(HOUR),
            "10s",
            "How long a shutdown waits for requests under way before it goes on.");

    /** In the order of the document. */
    static final List<Setting<?>> ALL = List.of(
            ENV,
            APP,
            KEY_PREFIX,
            HOST,
            PORT,
            DATA,
            REDIS_URL,
            REDIS_TIMEOUT,
            REDIS_DEADLINE,
            REDIS_CONNECTIONS_MIN,
            REDIS_CONNECTIONS_MAX,
            REDIS_QUEUE,
            REDIS_BREAKER_FAILURES,
            REDIS_BREAKER_OPEN,
            REDIS_BREAKER_PROBE,
            REDIS_TOPOLOGY_REFRESH,
            POSTGRES_URL,
            POSTGRES_CONNECTIONS,
            POSTGRES_TIMEOUT,
            FEATURES,
            AUTH_TOKENS,
            TLS_CERTIFICATE,
            TLS_KEY,
            HTTP_MAX_BODY,
            HTTP_ALLOWED_HOSTS,
            HTTP_RATE_LIMIT,
            MONITORS_PARTITIONS,
            MONITORS_CHECKS,
            MONITORS_PER_HOST,
            MONITORS_ALLOW_ADDRESSES,
            MONITORS_PUBLIC_URL,
            MONITORS_RETENTION_RESULTS,
            MONITORS_RETENTION_MINUTES,
            MONITORS_RETENTION_HOURS,
            MONITORS_RETENTION_DAYS,
            MONITORS_RETENTION_INCIDENTS,
            JOBS_PARTITIONS,
            JOBS_SHELL,
            JOBS_HTTP,
            JOBS_CONCURRENCY,
            JOBS_QUEUES,
            JOBS_ALLOW_ADDRESSES,
            JOBS_KEEP,
            JOBS_RETENTION,
            JOBS_ARCHIVE_LIMIT,
            DRIVERS_HEARTBEAT,
            DRIVERS_WRITE_BEHIND,
            DRIVERS_FORGET,
            DRIVERS_SCORE_DISTANCE,
            DRIVERS_SCORE_IDLE,
            DRIVERS_SCORE_LONGEST_IDLE,
            DRIVERS_SCORE_RATING,
            DRIVERS_TILES_URL,
            DRIVERS_TILES_ATTRIBUTION,
            AUDIT_EVERY,
            AUDIT_SAMPLE,
            AUDIT_WATCH,
            AUDIT_RETENTION,
            ALLOW_PLAINTEXT,
            LOG_LEVEL,
            SHUTDOWN_TIMEOUT);

    private DeclaredSettings() {}

    /** The end of a sentence about an unknown name: the one that was probably meant, or where the known ones stand. */
    static String hint(String unknown, Collection<String> known) {
        return NearestName.hint(unknown, known).orElse("; docs/configuration.md lists the known ones");
    }
}
