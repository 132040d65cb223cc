package dev.hotstate.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @Test
    void withNothingGivenEverySettingHasItsDocumentedDefault() {
        var settings = Settings.defaults();

        assertThat(settings.env()).isEqualTo("dev");
        assertThat(settings.keyPrefix()).isEqualTo("dev:hotstate");
        assertThat(settings.host()).isEqualTo("127.0.0.1");
        assertThat(settings.port()).isEqualTo(8080);
        assertThat(settings.data()).isEqualTo(Path.of(".hotstate"));
        assertThat(settings.redis())
                .isEqualTo(new Settings.Redis(
                        ServerUrl.NONE,
                        Duration.ofMillis(250),
                        Duration.ofSeconds(2),
                        5,
                        20,
                        10_000,
                        new Settings.Breaker(5, Duration.ofSeconds(30), Duration.ofMillis(500)),
                        Duration.ofSeconds(5)));
        assertThat(settings.postgres()).isEqualTo(new Settings.Postgres(ServerUrl.NONE, 10, Duration.ofSeconds(5)));
        assertThat(settings.features()).containsExactlyInAnyOrderElementsOf(Settings.KNOWN_FEATURES);
        assertThat(settings.tokens()).isEqualTo(Settings.TokenPolicy.AUTO);
        assertThat(settings.tls().isOn()).isFalse();
        assertThat(settings.http().maxBody()).isEqualTo(1024 * 1024);
        assertThat(settings.http().allowedHosts()).isEmpty();
        assertThat(settings.rateLimit()).as("on loopback").isZero();
        assertThat(settings.audit())
                .isEqualTo(new Settings.Audit(Duration.ofHours(1), 400, Duration.ofSeconds(2), Duration.ofDays(90)));
        assertThat(settings.allowPlaintext()).isEmpty();
        assertThat(settings.logLevel()).isEqualTo(Settings.LogLevel.INFO);
        assertThat(settings.shutdownTimeout()).isEqualTo(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, auto, 0",
        "0.0.0.0,   auto, 1000",
        "127.0.0.1, 50,   50",
        "0.0.0.0,   50,   50",
        "0.0.0.0,   0,    0",
    })
    void callersAreLimitedWhereOthersCanReachTheServerAndWhereItIsSaid(String host, String given, int limit) {
        var settings = Source.environment(Map.of("HOTSTATE_HOST", host, "HOTSTATE_HTTP_RATE_LIMIT", given))
                .settings();
        assertThat(settings.rateLimit()).isEqualTo(limit);
    }

    @Test
    void theEnvironmentBeatsTheFileAndAFlagBeatsBoth() {
        var file = SettingsYaml.read("hotstate.yaml", "{host: localhost, port: 1, redis.queue: 7}");
        var environment = Source.environment(Map.of("HOTSTATE_PORT", "2", "HOTSTATE_DATA", "there"));
        var flags = Source.flags(Map.of("--port", "3"));

        var settings = file.and(environment).and(flags).settings();

        assertThat(settings.port()).isEqualTo(3);
        assertThat(settings.data()).isEqualTo(Path.of("there"));
        assertThat(settings.host()).isEqualTo("localhost");
        assertThat(settings.redis().queue()).isEqualTo(7);
    }

    @Test
    void anUnknownKeyIsRefusedWithTheNearestName() {
        assertThat(problemsOfFile("redis: {tmeout: 1s}"))
                .containsExactly("hotstate.yaml: unknown key \"redis.tmeout\"; did you mean \"redis.timeout\"?");
    }

    @Test
    void anUnknownKeyThatIsLikeNoOtherIsRefusedWithAPointerToTheDocument() {
        assertThat(problemsOfFile("zzzzzzzzzzzzzzzz: 1"))
                .containsExactly(
                        "hotstate.yaml: unknown key \"zzzzzzzzzzzzzzzz\"; docs/configuration.md lists the known ones");
    }

    @Test
    void anUnknownVariableIsRefusedWithTheNearestName() {
        assertThat(problemsOfEnvironment(Map.of("HOTSTATE_REDSI", "redis://secret@h")))
                .containsExactly("environment: unknown variable \"HOTSTATE_REDSI\"; did you mean \"HOTSTATE_REDIS\"?");
    }

    @Test
    void variablesOfOthersAndOfTheLauncherAreLeftAlone() {
        var settings = Source.environment(Map.of("PATH", "/bin", "HOTSTATE_JAVA_HOME", "/jdk", "REDIS_URL", "x"))
                .settings();

        assertThat(settings).isEqualTo(Settings.defaults());
    }

    @Test
    void settingsOfMonitorsThatDisagreeAreRefused() {
        assertThat(problemsOfFile("monitors: {checks: 10, per_host: 11}"))
                .containsExactly("monitors.per_host is 11, which is more than monitors.checks, 10");
        assertThat(problemsOfFile("monitors.retention: {hours: 400, days: 366}"))
                .containsExactly("monitors.retention.hours is 400, which is more than monitors.retention.days, 366");
        assertThat(problemsOfFile("monitors.allow_addresses: here")).hasSize(1);
        assertThat(problemsOfFile("monitors.public_url: status.example.org")).hasSize(1);
        assertThat(SettingsYaml.read("hotstate.yaml", "monitors.allow_addresses: [169.254.1.0/24, 'fe80::/10']")
                        .settings()
                        .monitors()
                        .allowAddresses())
                .containsExactlyInAnyOrder("169.254.1.0/24", "fe80::/10");
    }

    @Test
    void settingsOfJobsThatDisagreeAreRefused() {
        assertThat(problemsOfFile("jobs: {keep: 3d, retention: 2d}"))
                .containsExactly("jobs.keep is 3d, which is more than jobs.retention, 2d");
    }

    @Test
    void everyProblemIsToldAtOnce() {
        assertThat(problemsOfFile("{port: many, tmp: 1, redis.timeout: soon}")).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port | 65536 | a whole number from 0 to 65535",
                "port | -1 | a whole number from 0 to 65535",
                "port | 80a | a whole number from 0 to 65535",
                "redis.timeout | soon | a duration such as 500ms, 30s or 5m, from 1ms to 60s",
                "redis.timeout | 5 | a duration such as 500ms, 30s or 5m, from 1ms to 60s",
                "redis.timeout | 0s | a duration such as 500ms, 30s or 5m, from 1ms to 60s",
                "redis.timeout | 2m | a duration such as 500ms, 30s or 5m, from 1ms to 60s",
                "redis.timeout | -1s | a duration such as 500ms, 30s or 5m, from 1ms to 60s",
                "redis.timeout | 999999999999d | a duration such as 500ms, 30s or 5m, from 1ms to 60s",
                "http.max_body | 1TB | a size such as 64KB or 1MB, at most 64MB",
                "http.max_body | 65MB | a size such as 64KB or 1MB, at most 64MB",
                "features | limits,monitor | a list of any of limits, traffic, monitors, jobs, drivers, audit",
                "auth.tokens | never | one of auto, required",
                "auth.tokens | AUTO | one of auto, required",
                "log.level | loud | one of trace, debug, info, warn, error",
                "env | P R O D | a word such as dev, stg or prod",
                "key_prefix | a{b} | names joined by colons, at most 13 characters (20 without jobs), such as dev:hotstate",
                "key_prefix | a:: | names joined by colons, at most 13 characters (20 without jobs), such as dev:hotstate",
                "http.allowed_hosts | a b | a list of host names such as hotstate.example.org",
                "data | '' | a folder",
            })
    void aBadValueIsRefusedNamingKeyValueAndWhatIsAccepted(String key, String value, String accepted) {
        assertThat(problemsOfFile(key + ": '" + value + "'"))
                .containsExactly("hotstate.yaml: %s is \"%s\"; give %s".formatted(key, value, accepted));
    }

    @Test
    void aBadValueIsNamedByTheVariableOrFlagThatGaveIt() {
        assertThat(problemsOfEnvironment(Map.of("HOTSTATE_PORT", "x")))
                .first()
                .asString()
                .startsWith("HOTSTATE_PORT is");
        assertThat(problems(Source.flags(Map.of("--port", "x"))))
                .first()
                .asString()
                .startsWith("--port is");
    }

    @ParameterizedTest
    @CsvSource({"500ms,500", "30s,30000", "1m,60000", " 2s ,2000"})
    void durationsAreReadWithTheirUnit(String text, long millis) {
        assertThat(fromFile("{redis.timeout: 1ms, redis.deadline: '" + text + "'}")
                        .redis()
                        .deadline())
                .isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"100B,100", "64KB,65536", "1MB,1048576", "64mb,67108864"})
    void sizesAreReadWithTheirUnit(String text, long bytes) {
        assertThat(fromFile("http: {max_body: " + text + "}").http().maxBody()).isEqualTo(bytes);
    }

    @Test
    void aListIsReadFromYamlFromCommasAndFromNothing() {
        assertThat(fromFile("features: [limits, jobs]").features()).containsExactlyInAnyOrder("limits", "jobs");
        assertThat(fromFile("features: limits, jobs").features()).containsExactlyInAnyOrder("limits", "jobs");
        assertThat(fromFile("features: []").features()).isEmpty();
    }

    @Test
    void theKeyPrefixFollowsEnvironmentAndApplicationUnlessItIsGiven() {
        assertThat(fromFile("{env: stg, app: shop}").keyPrefix()).isEqualTo("stg:shop");
        assertThat(fromFile("{env: stg, key_prefix: mine}").keyPrefix()).isEqualTo("mine");
    }

    @Test
    void settingsThatDisagreeAreRefused() {
        assertThat(problemsOfFile("redis: {connections: {min: 30}}"))
                .containsExactly("redis.connections.min is 30, which is more than redis.connections.max, 20");
        assertThat(problemsOfFile("redis.timeout: 3s"))
                .containsExactly("redis.timeout is 3000ms, which is more than redis.deadline, 2000ms");
        assertThat(problemsOfFile("tls.certificate: a.pem"))
                .containsExactly("tls.key is missing; HTTPS needs both tls.certificate and tls.key");
        assertThat(problemsOfFile("tls.key: a.pem"))
                .containsExactly("tls.certificate is missing; HTTPS needs both tls.certificate and tls.key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis.url: redis://10.0.0.1",
                "redis.url: 'redis-cluster://localhost:1,far.example.org:2'",
                "postgres.url: postgresql://db.example.org/x",
                "postgres.url: 'postgresql://db.example.org/x?sslmode=prefer'",
            })
    void productionRefusesPlaintextToARemoteServer(String line) {
        var server = line.substring(0, line.indexOf('.'));
        assertThat(problemsOfFile("env: prod\n" + line))
                .containsExactly("with env prod, " + server + ".url must use TLS because the server is not on this "
                        + "machine; give a TLS URL, or name " + server + " in allow_plaintext");
        assertThat(fromFile("env: prod\nallow_plaintext: [" + server + "]\n" + line)
                        .plaintextServers())
                .containsExactly(server);
        assertThat(fromFile("env: stg\n" + line).plaintextServers()).containsExactly(server);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis.url: redis://127.0.0.1:6379",
                "redis.url: 'redis://[::1]:6379'",
                "redis.url: rediss://far.example.org",
                "redis.url: 'rediss-sentinel://far.example.org:1#m'",
                "postgres.url: postgresql://localhost/x",
                "postgres.url: 'postgresql://db.example.org/x?sslmode=verify-full'",
                "postgres.url: 'jdbc:postgresql://db.example.org/x?a=b&ssl=true'",
            })
    void productionTakesTlsAndLoopback(String line) {
        assertThat(fromFile("env: prod\n" + line).plaintextServers()).isEmpty();
    }

    @Test
    void tokensAreNeededBeyondLoopbackOrWhenRequired() {
        assertThat(Settings.defaults().tokensNeeded()).isFalse();
        assertThat(fromFile("host: 0.0.0.0").tokensNeeded()).isTrue();
        assertThat(fromFile("host: 127.0.0.1.example.org").tokensNeeded()).isTrue();
        assertThat(fromFile("host: localhost").tokensNeeded()).isFalse();
        assertThat(fromFile("auth.tokens: required").tokensNeeded()).isTrue();
    }

    @Test
    void aSecretIsShownNeitherByTheSettingsNorByAnError() {
        var settings = fromFile("{redis.url: 'redis://u:hush@h:1/2', postgres.url: 'postgresql://u:hush@h/db'}");
        assertThat(settings.toString()).doesNotContain("hush").contains("redis://***@h:1/2");
        assertThat(settings.postgres().url().text()).contains("hush");

        assertThat(problemsOfFile("redis.url: 'redis://u:hu/sh@h:1'"))
                .singleElement()
                .asString()
                .startsWith("hotstate.yaml: redis.url is not valid; give redis://")
                .doesNotContain("hu/sh");
        assertThat(problemsOfEnvironment(Map.of("HOTSTATE_POSTGRES", "hush")))
                .singleElement()
                .asString()
                .doesNotContain("hush");
        assertThat(problemsOfFile("redis.url: 'hush\nport: ["))
                .singleElement()
                .asString()
                .doesNotContain("hush");
    }

    private static Settings fromFile(String yaml) {
        return SettingsYaml.read("hotstate.yaml", yaml).settings();
    }

    private static List<String> problemsOfFile(String yaml) {
        return problems(SettingsYaml.read("hotstate.yaml", yaml));
    }

    private static List<String> problemsOfEnvironment(Map<String, String> environment) {
        return problems(Source.environment(environment));
    }

    private static List<String> problems(Source source) {
        return catchThrowableOfType(InvalidSettingsException.class, source::settings)
                .problems();
    }
}
