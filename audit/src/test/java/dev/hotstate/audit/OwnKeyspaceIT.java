package dev.hotstate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.audit.report.FamilyReport;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rule.Group;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.SchemaReader;
import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.KeyspaceSchema;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.drivers.DriverKeys;
import dev.hotstate.drivers.Driving;
import dev.hotstate.drivers.Fix;
import dev.hotstate.drivers.Profile;
import dev.hotstate.drivers.Wish;
import dev.hotstate.jobs.JobKeys;
import dev.hotstate.jobs.Jobbing;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.work.Worker;
import dev.hotstate.jobs.work.WorkerOptions;
import dev.hotstate.limits.LimitKeys;
import dev.hotstate.limits.RateLimiter;
import dev.hotstate.limits.RuleSource;
import dev.hotstate.monitors.Monitor;
import dev.hotstate.monitors.MonitorKeys;
import dev.hotstate.monitors.Monitoring;
import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckType;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.PostgresLedger;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import dev.hotstate.traffic.Checkpoints;
import dev.hotstate.traffic.Traffic;
import dev.hotstate.traffic.TrafficKeys;
import dev.hotstate.traffic.TrafficOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Our own features at work, also while they are audited: what they write is what they declare, so that nothing is found. */
@ExtendWith(Testkit.class)
class OwnKeyspaceIT {
    private static final Keyspace KEYSPACE = Keyspace.of(
            "dev:hotstate",
            CoreKeys.SERVICE,
            LimitKeys.SERVICE,
            TrafficKeys.SERVICE,
            MonitorKeys.SERVICE,
            JobKeys.SERVICE,
            DriverKeys.SERVICE);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void nothingIsFoundInAKeyspaceOfOurFeaturesAtWork(RedisServer server, PostgresDatabase postgres) throws Exception {
        Database database = opened(Database.open(DatabaseOptions.of(url(postgres))));
        database.migrate(List.of(
                PostgresLedger.migrations(), Jobbing.migrations(), Monitoring.migrations(), Driving.migrations()));
        Redis redis = opened(Redis.connect(
                RedisOptions.of(server.uri()).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10)),
                KEYSPACE,
                TestMeters.REGISTRY));
        Events events = opened(new Events(redis, List.of(Jobbing.READY_TOPIC, "monitors", "drivers")));
        Incarnations incarnations = opened(
                new Incarnations(redis, new PostgresLedger(database), Incarnations.Options.of("audit"), state -> {}));
        Jobbing jobbing = opened(Jobbing.start(
                new Jobbing.Ground(redis, database, incarnations, events, TestMeters.REGISTRY, InstantSource.system()),
                new Jobbing.Options(2, Duration.ofHours(1), 5_000)));
        Monitoring monitoring = opened(Monitoring.start(
                new Monitoring.Ground(
                        redis, database, incarnations, events, TestMeters.REGISTRY, InstantSource.system()),
                Monitoring.Options.DEFAULTS));
        Driving driving = opened(Driving.start(
                new Driving.Ground(redis, database, incarnations, events, TestMeters.REGISTRY, InstantSource.system()),
                Driving.Options.DEFAULTS));
        Eventually.until("all partitions are ready", incarnations::allReady);
        RateLimiter limiter = limiter(redis);
        Traffic traffic =
                opened(Traffic.start(redis, TrafficOptions.of("web-1", InstantSource.system()), Checkpoints.none()));
        limits(limiter, 0);
        traffic(traffic);
        drivers(driving);
        monitors(monitoring, server.port());
        jobs(jobbing);
        anEndedJob(jobbing, server);

        Schema schema = SchemaReader.read(KeyspaceSchema.yaml(KEYSPACE));
        AtomicBoolean audited = new AtomicBoolean();
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            for (int round = 1; !audited.get(); round++) {
                limits(limiter, round);
                traffic(traffic);
                move(driving, round);
                submit(jobbing, "load-" + round);
            }
        });
        Report sampled = Audits.of(server.uri(), schema);
        Report full = Audits.of(server.uri(), Audits.QUICK.inFull().withSchema(schema));
        audited.set(true);
        load.join();

        for (Report report : List.of(sampled, full)) {
            assertThat(aboutKeys(report)).isEmpty();
            assertThat(report.families()).allMatch(FamilyReport::declared);
            assertThat(report.families())
                    .filteredOn(family -> family.keys() > 0)
                    .extracting(FamilyReport::owner)
                    .contains("core", "limits", "traffic", "monitors", "jobs", "drivers");
        }
    }

    private RateLimiter limiter(Redis redis) {
        return opened(new RateLimiter(
                redis,
                RuleSource.of(
                        dev.hotstate.limits.Rule.tokenBucket("bucket", 5, Duration.ofMinutes(1), 5),
                        dev.hotstate.limits.Rule.slidingWindow("window", 5, Duration.ofMinutes(1)),
                        dev.hotstate.limits.Rule.slidingLog("log", 5, Duration.ofMinutes(1)),
                        dev.hotstate.limits.Rule.fixedWindow("fixed", 5, Duration.ofMinutes(1))),
                TestMeters.REGISTRY));
    }

    private static void limits(RateLimiter limiter, int round) {
        for (int i = 40 * round; i < 40 * round + 40; i++) {
            for (String rule : List.of("bucket", "window", "log", "fixed")) {
                limiter.tryAcquire(rule, i % 2 == 0 ? "user:{" + i + "}" : "/api/users/" + i);
            }
        }
    }

    private static void traffic(Traffic traffic) {
        for (int i = 0; i < 100; i++) {
            traffic.recorder().record("GET", "/users/{id}", i % 7 == 0 ? 404 : 200, Duration.ofMillis(i));
        }
        traffic.flush();
    }

    /** Some that stand, one that is described, one that is taken. */
    private static void drivers(Driving driving) {
        move(driving, 0);
        driving.drivers().describe("d1", new Profile("Dora", "van", 4.0, List.of("van")));
        driving.drivers().reserve(new Wish(10, 10, 20_000, 1, null, Duration.ofMinutes(5), "tests"));
    }

    private static void move(Driving driving, int round) {
        driving.drivers()
                .locateAll(IntStream.range(0, 40)
                        .mapToObj(i -> Fix.of("d" + i, 10 + round % 100 * 0.0001, 10 + i * 0.001))
                        .toList());
    }

    private static void monitors(Monitoring monitoring, int port) {
        for (String id : List.of("web-1", "web-2")) {
            String target = "127.0.0.1:" + (id.equals("web-1") ? port : 1);
            monitoring
                    .definitions()
                    .create(new Monitor(
                            id,
                            id,
                            new CheckSpec(
                                    CheckType.TCP,
                                    target,
                                    Duration.ofSeconds(5),
                                    List.of(),
                                    CheckSpec.CheckOptions.DEFAULTS),
                            new Monitor.Rhythm(Duration.ofSeconds(5), 0, Duration.ofSeconds(1), 1, 1),
                            null,
                            List.of(),
                            List.of(),
                            List.of(),
                            null,
                            false));
        }
        Eventually.until(
                "both were checked",
                () -> monitoring
                                .incidents()
                                .list(true, null, Long.MAX_VALUE, 10)
                                .size()
                        == 1);
    }

    private void jobs(Jobbing jobbing) {
        opened(Worker.of(jobbing.tasks(), WorkerOptions.named("w1").withConcurrency(4)))
                .handler("step", String.class, context -> {
                    context.log("a line");
                    return "{\"ok\": true}";
                })
                .start();
        for (int i = 0; i < 5; i++) {
            submit(jobbing, "job-" + i);
        }
        Eventually.until(
                "all but the last tasks are done",
                () -> jobbing.jobs().tasks("job-4", null, 10, null).items().stream()
                                .filter(task -> task.status().isTerminal())
                                .count()
                        == 3);
    }

    private static void submit(Jobbing jobbing, String id) {
        jobbing.jobs()
                .submit(JobSpec.named("sums")
                        .id(id)
                        .createdBy("tests")
                        .task("a", task -> task.handler("step"))
                        .task("b", task -> task.handler("step"))
                        .task("c", task -> task.needs("a", "b").handler("step"))
                        .task("d", task -> task.needs("c").queue("nobody"))
                        .build());
    }

    /** Its keys stay until PostgreSQL has its end, and expire from then on. */
    private static void anEndedJob(Jobbing jobbing, RedisServer server) {
        jobbing.jobs()
                .submit(JobSpec.named("ended")
                        .id("ended")
                        .createdBy("tests")
                        .task("a", task -> task.handler("step"))
                        .task("b", task -> task.needs("a").handler("step"))
                        .build());
        Eventually.until(
                "its keys expire",
                () -> server.keys().stream()
                        .filter(key -> key.endsWith(":job:ended"))
                        .anyMatch(key -> server.commands().pttl(key) > 0));
    }

    private static List<Finding> aboutKeys(Report report) {
        Set<String> rules = Rules.all().stream()
                .filter(rule -> Set.of(Group.SCHEMA, Group.NAMES, Group.VALUES).contains(rule.group()))
                .map(Rule::id)
                .collect(Collectors.toSet());
        return report.findings().stream()
                .filter(finding -> rules.contains(finding.rule()))
                .toList();
    }

    private <T extends AutoCloseable> T opened(T part) {
        open.push(part);
        return part;
    }

    private static String url(PostgresDatabase postgres) {
        return postgres.jdbcUrl()
                .replaceFirst(
                        "^jdbc:postgresql://",
                        "postgres://" + encoded(postgres.user()) + ":" + encoded(postgres.password()) + "@");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
