package dev.hotstate.server.readme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Agenda;
import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Due;
import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Rebuild;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.Service;
import dev.hotstate.drivers.DriverKeys;
import dev.hotstate.drivers.Drivers;
import dev.hotstate.drivers.Driving;
import dev.hotstate.drivers.Fix;
import dev.hotstate.drivers.Reservation;
import dev.hotstate.drivers.Scored;
import dev.hotstate.drivers.Search;
import dev.hotstate.drivers.Status;
import dev.hotstate.drivers.Wish;
import dev.hotstate.jobs.Effects;
import dev.hotstate.jobs.JobKeys;
import dev.hotstate.jobs.Jobbing;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.work.TaskContext;
import dev.hotstate.jobs.work.Worker;
import dev.hotstate.jobs.work.WorkerOptions;
import dev.hotstate.limits.Call;
import dev.hotstate.limits.Check;
import dev.hotstate.limits.Decision;
import dev.hotstate.limits.LimitKeys;
import dev.hotstate.limits.OnError;
import dev.hotstate.limits.RateLimiter;
import dev.hotstate.limits.Rule;
import dev.hotstate.limits.RuleSource;
import dev.hotstate.server.RunningServer;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.PostgresLedger;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Java of the README stands here too, and runs; its calls with curl are made. */
@ExtendWith(Testkit.class)
class ReadmeIT {
    private static final Path README = Path.of("../README.md");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Partition partition = new Partition("m0");
    private final List<String> sent = new ArrayList<>();
    private @Nullable Agenda rebuilt;
    private Effects<Connection> effects;

    static final class MailKeys {
        static final KeyFamily SCHEDULE = KeyFamily.zset("{<partition>}:mail:schedule")
                .id("partition", 8)
                .owner("mail")
                .field("<letter>", "when it is due, or the end of its lease (ms)")
                .kept("an entry leaves when its letter is sent")
                .typically(10_000, 16)
                .example("{m0}:mail:schedule")
                .why("which letter is due when")
                .declared();

        static final KeyFamily FENCES = KeyFamily.hash("{<partition>}:mail:fences")
                .id("partition", 8)
                .owner("mail")
                .field("<letter>", "the fence of the claim that holds it")
                .kept("a field leaves when its claim ends")
                .typically(100, 32)
                .example("{m0}:mail:fences")
                .why("who is at it")
                .declared();
    }

    @Test
    void theAgendaSendsItsLetter(RedisServer server, PostgresDatabase postgres) {
        Service mail = new Service("mail", List.of(MailKeys.SCHEDULE, MailKeys.FENCES), List.of(), Set.of());
        Keyspace keyspace = Keyspace.of("test:readme", CoreKeys.SERVICE, mail);
        try (Database database = Database.open(DatabaseOptions.of(RunningServer.urlOf(postgres)));
                Redis redis = Redis.connect(RedisOptions.of(server.uri()), keyspace, meters);
                Incarnations incarnations = new Incarnations(
                        redis, new PostgresLedger(database), Incarnations.Options.of("readme"), state -> {})) {
            database.migrate(List.of(PostgresLedger.migrations()));
            rebuilt = new Agenda(redis, incarnations, MailKeys.SCHEDULE, MailKeys.FENCES);

            incarnations.watch("mail", List.of(partition), this::reload); // from PostgreSQL, whenever Redis lost it
            Agenda agenda = new Agenda(redis, incarnations, MailKeys.SCHEDULE, MailKeys.FENCES);

            Eventually.until("all is ready", incarnations::allReady);
            agenda.put(partition, "letter-7", Due.in(Duration.ofSeconds(1)));

            Eventually.until("the letter is due", () -> {
                for (Claim claim :
                        agenda.claim(partition, 100, Duration.ofSeconds(30)).claims()) {
                    send(claim.id());
                    agenda.done(List.of(claim)); // refused if the lease ran out and another has it now
                }
                return sent.size() == 2;
            });
            assertThat(sent).containsExactly("letter-1", "letter-7");
        }
    }

    @Test
    void theLimiterLetsTheSixthLoginWait(RedisServer server) {
        String url = server.uri();
        Keyspace keyspace = Keyspace.of("prod:shop", LimitKeys.SERVICE);
        Redis redis = Redis.connect(RedisOptions.of(url), keyspace, meters);
        try (redis) {
            RuleSource rules = RuleSource.of(
                    Rule.tokenBucket("tenant", 1000, Duration.ofSeconds(1), 2000),
                    Rule.slidingLog("login", 5, Duration.ofMinutes(1)).onError(OnError.CLOSED));
            RateLimiter limiter = new RateLimiter(redis, rules, meters);

            for (int login = 1; login <= 6; login++) {
                Call call = new Call("acme", 1, List.of(new Check("tenant", "acme"), new Check("login", "user:123")));
                String answer = switch (limiter.tryAcquire(call)) {
                    case Decision.Allowed allowed -> "welcome";
                    case Decision.Denied denied -> "come back in " + denied.retryAfter();
                };
                assertThat(answer).startsWith(login <= 5 ? "welcome" : "come back in PT");
            }
            limiter.close();
        }
    }

    record Invoice(int number) {}

    @Test
    void theWorkerRendersAndCharges(RedisServer server, PostgresDatabase postgres) {
        Keyspace keyspace = Keyspace.of("test:readme", CoreKeys.SERVICE, JobKeys.SERVICE);
        try (Database database = Database.open(DatabaseOptions.of(RunningServer.urlOf(postgres)));
                Redis redis = Redis.connect(RedisOptions.of(server.uri()), keyspace, meters);
                Events events = new Events(redis, List.of("jobs", Jobbing.READY_TOPIC));
                Incarnations incarnations = new Incarnations(
                        redis, new PostgresLedger(database), Incarnations.Options.of("readme"), state -> {})) {
            database.migrate(List.of(PostgresLedger.migrations(), Jobbing.migrations()));
            database.useHandle(handle -> handle.execute("CREATE TABLE charged (invoice text)"));
            try (Jobbing jobbing = Jobbing.start(
                    new Jobbing.Ground(redis, database, incarnations, events, meters, InstantSource.system()),
                    Jobbing.Options.DEFAULTS)) {
                effects = jobbing.effects();
                WorkerOptions options = WorkerOptions.named("billing-1").withConcurrency(32);
                Worker worker = Worker.of(jobbing.tasks(), options)
                        .handler("render", Invoice.class, String.class, (invoice, context) -> render(invoice))
                        .handler("charge", String.class, this::charge)
                        .start();

                JobSpec job = JobSpec.named("Invoice 7")
                        .task("render", task -> task.handler("render").input(new Invoice(7)))
                        .task("charge", task -> task.needs("render").handler("charge"))
                        .build();
                jobbing.jobs().submit(job);

                Eventually.until(
                        "the job has succeeded",
                        () -> jobbing.jobs()
                                .find(job.id())
                                .filter(found -> found.status() == JobStatus.SUCCEEDED)
                                .isPresent());
                worker.close();
                int charged = database.withHandle(handle -> handle.createQuery("SELECT count(*) FROM charged")
                        .mapTo(Integer.class)
                        .one());
                assertThat(charged).isOne();
            }
        }
    }

    private static String render(Invoice invoice) {
        return "invoice " + invoice.number();
    }

    private String charge(TaskContext context) throws SQLException {
        String invoice = context.result("render", String.class).orElseThrow();
        return context.transactionally(effects, String.class, connection -> insert(invoice, connection));
    }

    private static String insert(String invoice, Connection connection) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO charged VALUES (?)")) {
            insert.setString(1, invoice);
            insert.executeUpdate();
            return "charged";
        }
    }

    @Test
    void theNearestDriverIsReserved(RedisServer server, PostgresDatabase postgres) {
        Keyspace keyspace = Keyspace.of("test:readme", CoreKeys.SERVICE, DriverKeys.SERVICE);
        try (Database database = Database.open(DatabaseOptions.of(RunningServer.urlOf(postgres)));
                Redis redis = Redis.connect(RedisOptions.of(server.uri()), keyspace, meters);
                Events events = new Events(redis, List.of("drivers"));
                Incarnations incarnations = new Incarnations(
                        redis, new PostgresLedger(database), Incarnations.Options.of("readme"), state -> {})) {
            database.migrate(List.of(PostgresLedger.migrations(), Driving.migrations()));
            try (Driving driving = Driving.start(
                    new Driving.Ground(redis, database, incarnations, events, meters, InstantSource.system()),
                    Driving.Options.DEFAULTS)) {
                Eventually.until("all is ready", incarnations::allReady);
                Drivers drivers = driving.drivers();
                drivers.locate(Fix.of("d-7", 12.9716, 77.5946));

                Search search = new Search(12.97, 77.59, 5_000, 10, null, Search.Order.DISTANCE);
                List<Scored> nearest = drivers.findAvailable(search).items();

                Wish wish = new Wish(12.97, 77.59, 5_000, 1, null, Duration.ofSeconds(30), "trip-7");
                for (Reservation held : drivers.reserve(wish)) {
                    drivers.confirm(held.id(), held.fence()); // BUSY from now on; refused if the lease ran out
                }
                assertThat(nearest).extracting(found -> found.candidate().id()).containsExactly("d-7");
                assertThat(drivers.find("d-7").orElseThrow().status()).isEqualTo(Status.BUSY);
            }
        }
    }

    @Test
    void everyCallWithCurlInTheReadmeIsAnswered(RedisServer redis, PostgresDatabase postgres) throws Exception {
        List<Curl> calls = Curl.in(Files.readString(README));
        assertThat(calls).hasSizeGreaterThan(5);
        try (var server = RunningServer.on(redis.uri(), postgres);
                var client = HttpClient.newHttpClient()) {
            Eventually.until("all is up", () -> server.health().equals("up"));
            for (Curl call : calls) {
                assertThat(client.send(call.to(server.url()), BodyHandlers.ofString())
                                .statusCode())
                        .as("%s", call)
                        .isIn(200, 201);
            }
            assertThat(server.json("/limits/rules").get("items")).hasSize(2);
            assertThat(server.json("/monitors").get("items")).hasSize(3);
            assertThat(server.json("/jobs/invoices-june/tasks/collect")
                            .get("status")
                            .textValue())
                    .isEqualTo("RUNNING");
            assertThat(server.json("/drivers/d-1").get("reserved_until").isNull())
                    .isFalse();
            Eventually.until(
                    "the reported request is counted",
                    () -> server.json("/traffic/instances")
                            .get("items")
                            .findValuesAsText("instance")
                            .contains("web-1"));
        }
    }

    @Test
    void everyLineOfJavaInTheReadmeStandsInThisClass() throws IOException {
        String here = squeezed(Files.readString(Path.of("src/test/java/dev/hotstate/server/readme/ReadmeIT.java")));
        List<String> lines = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(README))
                .results()
                .flatMap(block -> block.group(1).lines())
                .map(ReadmeIT::squeezed)
                .filter(line -> !line.isEmpty())
                .toList();

        assertThat(lines).isNotEmpty().allMatch(here::contains);
    }

    private Rebuild.Page reload(Partition mine, Pass pass, @Nullable String cursor) {
        rebuilt.under(pass).put(mine, Map.of("letter-1", Due.now()));
        return Rebuild.Page.last(1);
    }

    private void send(String letter) {
        sent.add(letter);
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", " ").trim();
    }
}
