package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.core.RebuildingException;
import dev.hotstate.monitors.Monitor.Push;
import dev.hotstate.monitors.Monitor.Rhythm;
import dev.hotstate.monitors.alert.Channel;
import dev.hotstate.monitors.alert.HookUrl;
import dev.hotstate.monitors.alert.Receiver;
import dev.hotstate.monitors.alert.Webhook;
import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.monitors.check.CheckType;
import dev.hotstate.monitors.history.Result;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The whole of it: targets that go down and come back, two instances, and everything they stand on failing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringIT {
    private static final Rhythm QUICK = new Rhythm(Duration.ofSeconds(1), 0, Duration.ofSeconds(1), 1, 1);

    private final RedisServer redis = RedisServer.start();
    private final PostgresServer postgres = PostgresServer.start();
    private final Receiver receiver = new Receiver();
    private final Target target = new Target();
    private Fleet fleet;
    private Monitoring here;
    private Monitoring there;

    @BeforeAll
    void start() {
        PostgresDatabase database = postgres.freshDatabase();
        fleet = new Fleet(redis, database);
        here = fleet.start();
        there = fleet.start();
        here.channels()
                .put(new Channel(
                        "ops", new Webhook(HookUrl.of(receiver.url("/hook").toString()), null, Map.of())));
    }

    @AfterAll
    void stop() {
        fleet.close();
        receiver.close();
        target.close();
        postgres.close();
        redis.close();
    }

    @Test
    void anOutageIsOneIncidentWithOneAlertAtItsBeginningAndOneAtItsEnd() {
        create("plain");
        awaitState("plain", State.UP);

        target.breakDown("/plain");
        awaitState("plain", State.DOWN);
        Incident open = awaitOpen("plain");
        target.mend("/plain");
        awaitState("plain", State.UP);
        awaitEvents("plain", "incident.opened", "incident.closed");

        assertThat(incidents("plain")).singleElement().satisfies(incident -> {
            assertThat(incident.id()).isEqualTo(open.id());
            assertThat(incident.endedAt()).isAfter(incident.startedAt());
            assertThat(incident.error()).contains("503");
        });
        assertThat(keys("plain")).doesNotHaveDuplicates();
    }

    @Test
    void anIncidentGoesOnWhenRedisIsLostAndIsNotToldAgain() {
        create("flushed");
        awaitState("flushed", State.UP);
        target.breakDown("/flushed");
        Incident open = awaitOpen("flushed");
        awaitEvents("flushed", "incident.opened");

        redis.flushAll();
        Eventually.until(
                "it is known to be down again",
                seen(() -> live("flushed")),
                () -> live("flushed").state() == State.DOWN && live("flushed").failureCount() > 1);
        assertThat(live("flushed").incident()).isEqualTo(open.id());

        target.mend("/flushed");
        awaitEvents("flushed", "incident.opened", "incident.closed");
        assertThat(incidents("flushed")).hasSize(1);
    }

    @Test
    void anOutageThatBeganAndEndedWhilePostgresWasAwayIsToldWhenItIsBack() {
        create("silent");
        awaitState("silent", State.UP);

        postgres.pause();
        try {
            target.breakDown("/silent");
            awaitState("silent", State.DOWN);
            target.mend("/silent");
            awaitState("silent", State.UP);
        } finally {
            postgres.resume();
        }

        awaitEvents("silent", "incident.opened", "incident.closed");
        assertThat(incidents("silent")).singleElement().matches(incident -> !incident.isOpen());
    }

    @Test
    void aChildsAlertIsHeldWhileItsParentIsDownAndGoesOutWhenItStaysDown() {
        create("router");
        here.definitions().create(monitor("server", List.of("router"), null, QUICK));
        awaitState("router", State.UP);
        awaitState("server", State.UP);

        target.breakDown("/server");
        target.breakDown("/router");
        awaitOpen("router");
        Incident held = awaitOpen("server");
        awaitEvents("router", "incident.opened");
        assertThat(held.held()).isTrue();
        assertThat(events("server")).isEmpty();

        target.mend("/router");
        awaitEvents("router", "incident.opened", "incident.closed");
        awaitEvents("server", "incident.opened");
        target.mend("/server");
        awaitEvents("server", "incident.opened", "incident.closed");
    }

    @Test
    void aChildThatRecoversWithItsParentTellsNobody() {
        create("gateway");
        here.definitions().create(monitor("behind", List.of("gateway"), null, QUICK));
        awaitState("gateway", State.UP);
        awaitState("behind", State.UP);
        target.breakDown("/gateway");
        target.breakDown("/behind");
        awaitOpen("gateway");
        awaitOpen("behind");

        target.mend("/behind");
        Eventually.until(
                "the child's incident is closed",
                () -> incidents("behind").stream().noneMatch(Incident::isOpen));
        target.mend("/gateway");
        awaitEvents("gateway", "incident.opened", "incident.closed");

        assertThat(events("behind")).isEmpty();
    }

    @Test
    void aChildTellsNobodyOfWhatItsParentsMaintenanceDoesToIt() {
        createCovered("switch", "rack");
        target.breakDown("/switch");
        target.breakDown("/rack");
        Incident held = awaitOpen("rack");

        // By then the parent would be stale, and one that cannot tell holds nothing back.
        Eventually.until(
                "the child has failed for long",
                seen(() -> live("rack")),
                () -> live("rack").failureCount() > 9);
        assertThat(incidents("rack")).singleElement().matches(Incident::held);
        target.mend("/switch");
        target.mend("/rack");
        Eventually.until(
                "the child's incident is closed",
                () -> incidents("rack").stream().noneMatch(Incident::isOpen));

        var story = here.incidents().find(held.id()).orElseThrow();
        assertThat(story.timeline()).extracting(Incident.Event::kind).contains("held", "covered", "closed");
        assertThat(story.deliveries())
                .isNotEmpty()
                .allMatch(delivery -> delivery.status().word().equals("dropped"));
        here.maintenance().delete("switch");
    }

    @Test
    void aChildThatIsDownOnItsOwnIsToldThoughItsParentIsInMaintenance() {
        createCovered("hub", "shelf");
        target.breakDown("/hub");
        target.breakDown("/shelf");
        Incident held = awaitOpen("shelf");
        Eventually.until(
                "its parent was seen to fail",
                () -> here.incidents().find(held.id()).orElseThrow().timeline().stream()
                        .anyMatch(event -> event.kind().equals("covered")));
        assertThat(events("shelf")).isEmpty();

        target.mend("/hub");

        awaitEvents("shelf", "incident.opened");
        target.mend("/shelf");
        awaitEvents("shelf", "incident.opened", "incident.closed");
        here.maintenance().delete("hub");
    }

    /** Both up, and the parent in maintenance, as both instances know. */
    private void createCovered(String parent, String child) {
        create(parent);
        here.definitions().create(monitor(child, List.of(parent), null, QUICK));
        awaitState(parent, State.UP);
        awaitState(child, State.UP);
        Instant now = InstantSource.system().instant();
        here.maintenance()
                .create(new Window(
                        parent,
                        parent,
                        new Schedule.Once(now.minusSeconds(1), now.plusSeconds(3600)),
                        List.of(parent),
                        List.of()));
        for (Monitoring instance : List.of(here, there)) {
            Eventually.until(
                    "it is known to be in maintenance",
                    () -> instance.monitors().find(parent).orElseThrow().live().state() == State.MAINTENANCE);
        }
    }

    @Test
    void anOpenIncidentIsToldAgainUntilSomebodyAcknowledgesIt() {
        here.definitions().create(monitor("nagging", List.of(), Duration.ofSeconds(1), QUICK));
        awaitState("nagging", State.UP);
        target.breakDown("/nagging");
        Incident open = awaitOpen("nagging");

        awaitCount("nagging", "incident.reminder", count -> count >= 2);
        here.incidents().acknowledge(open.id(), "ann");
        long reminded = incidents("nagging").getFirst().reminders();
        target.mend("/nagging");
        awaitCount("nagging", "incident.closed", count -> count == 1);

        assertThat(incidents("nagging").getFirst().reminders()).isEqualTo((int) reminded);
        assertThat(incidents("nagging").getFirst().acknowledgedBy()).isEqualTo("ann");
        assertThat(keys("nagging")).doesNotHaveDuplicates();
    }

    @Test
    void aJobThatReportsIsUpAndOneThatFailsOrIsSilentIsDown() {
        Push push = new Push(Duration.ofSeconds(1), null);
        Definition job = here.definitions()
                .create(new Monitor(
                        "job",
                        "job",
                        new CheckSpec(CheckType.PUSH, "", Duration.ofSeconds(10), List.of(), CheckOptions.DEFAULTS),
                        new Rhythm(Duration.ofSeconds(2), 0, Duration.ofSeconds(1), 1, 1),
                        push,
                        List.of(),
                        List.of(),
                        List.of("ops"),
                        null,
                        false))
                .orElseThrow();
        assertThat(live("job").state()).isEqualTo(State.PENDING);
        Eventually.until(
                "the other instance knows its key",
                () -> there.directory().byPingKey(job.pingKey()).isPresent());

        assertThat(there.pings().began(job.pingKey())).isEqualTo(Pings.Answer.TAKEN);
        assertThat(live("job").startedAt()).isNotNull();
        assertThat(there.pings().succeeded(job.pingKey())).isEqualTo(Pings.Answer.TAKEN);
        assertThat(live("job").state()).isEqualTo(State.UP);

        awaitState("job", State.DOWN);
        assertThat(live("job").error()).contains("no ping");
        assertThat(here.pings().succeeded(job.pingKey())).isEqualTo(Pings.Answer.TAKEN);
        awaitState("job", State.UP);
        assertThat(here.pings().failed(job.pingKey(), "exit code 3")).isEqualTo(Pings.Answer.TAKEN);
        assertThat(live("job").error()).isEqualTo("exit code 3");
        assertThat(here.pings().succeeded("nobody's key")).isEqualTo(Pings.Answer.UNKNOWN);
        here.definitions().pause("job");
        assertThat(here.pings().succeeded(job.pingKey())).isEqualTo(Pings.Answer.IGNORED);
        assertThat(here.pings().began(job.pingKey())).isEqualTo(Pings.Answer.IGNORED);
    }

    @Test
    void aDeletedMonitorEndsItsIncidentAndLeavesNothing() {
        create("doomed");
        target.breakDown("/doomed");
        Incident open = awaitOpen("doomed");

        here.definitions().delete("doomed");

        Eventually.until(
                "its incident is ended",
                () -> !here.incidents().find(open.id()).orElseThrow().incident().isOpen());
        Eventually.until(
                "no key is left of it",
                seen(redis::keys),
                () -> redis.keys().stream().noneMatch(key -> key.endsWith(":doomed")));
        assertThat(here.monitors().find("doomed")).isEmpty();
    }

    @Test
    void aChangeOnOneInstanceIsFollowedByTheOther() {
        create("moved");
        awaitState("moved", State.UP);

        here.definitions().update("moved", old -> monitor("moved", "/elsewhere", List.of(), null, QUICK));
        target.breakDown("/elsewhere");

        awaitState("moved", State.DOWN);
        assertThat(there.monitors().check("moved").orElseThrow().outcome().ok()).isFalse();
        target.mend("/elsewhere");
        assertThat(there.monitors().check("moved").orElseThrow().outcome().ok()).isTrue();
        here.definitions().delete("moved");
    }

    @Test
    void whatWasFoundIsKeptAsHistory() {
        create("kept");
        awaitState("kept", State.UP);

        String name = here.definitions().find("kept").orElseThrow().historyName();
        Eventually.until(
                "its uptime is known",
                seen(() -> here.history().uptime(name)),
                () -> Double.valueOf(100).equals(here.history().uptime(name).get("24h")));
    }

    @Test
    void aMonitorThatIsMadeAnewHasNothingOfTheHistoryOfTheFormerAlsoNotOfResultsThatCameLate() {
        Monitor again = monitor("again", List.of(), null, QUICK).withPaused(true);
        Definition former = here.definitions().create(again).orElseThrow();
        here.definitions().delete("again");
        Definition latter = here.definitions().create(again).orElseThrow();

        there.history().add(result(former.historyName()));
        there.history().flush();

        assertThat(here.history().uptime(former.historyName())).containsEntry("24h", 0.0);
        assertThat(here.history().uptime(latter.historyName())).containsEntry("24h", null);
        assertThat(here.history().latest(List.of(latter.historyName()))).isEmpty();
    }

    @Test
    void theSummaryDoesNotCountWhileMonitorsAreBroughtBack() {
        create("counted");
        awaitState("counted", State.UP);

        redis.flushAll();

        assertThatExceptionOfType(RebuildingException.class)
                .isThrownBy(() -> here.monitors().summary());
        Eventually.until("all of them are counted again", this::countsAll);
    }

    @Test
    void whatARebuildBringsBackIsNotAllDueAtOnce() {
        Rhythm minutely = new Rhythm(Duration.ofSeconds(60), 0, Duration.ofSeconds(1), 1, 1);
        List<String> ids = IntStream.range(0, 40).mapToObj(i -> "spread-" + i).toList();
        ids.forEach(id -> here.definitions().create(monitor(id, List.of(), null, minutely)));
        ids.forEach(id -> awaitState(id, State.UP));
        here.history().flush();
        there.history().flush();

        redis.flushAll();
        Eventually.until("all of them are counted again", this::countsAll);

        List<Instant> dues = ids.stream()
                .flatMap(id -> Stream.ofNullable(live(id).nextRunAt()))
                .toList();
        Instant last = InstantSource.system().instant().plusSeconds(61);
        assertThat(dues).allMatch(due -> due.isBefore(last));
        assertThat(dues.stream().map(Instant::getEpochSecond).distinct().count())
                .isGreaterThan(15);
        ids.forEach(id -> here.definitions().delete(id));
    }

    @Test
    void noListByStateIsShownWhileMonitorsAreBroughtBack() {
        create("listed");
        awaitState("listed", State.UP);

        redis.flushAll();

        assertThatExceptionOfType(RebuildingException.class)
                .isThrownBy(() ->
                        here.monitors().list(new Monitors.Query(State.DOWN, null, null, Monitors.Sort.NAME, null, 10)));
        Eventually.until("all of them are counted again", this::countsAll);
    }

    private boolean countsAll() {
        try {
            there.monitors().summary();
            var summary = here.monitors().summary();
            return summary.states().values().stream().mapToLong(Long::longValue).sum() == summary.total();
        } catch (RebuildingException notYet) {
            return false;
        }
    }

    @Test
    void onlyTheHistoryOfDeletedMonitorsIsForgotten() {
        Monitor paused = monitor("forgotten", List.of(), null, QUICK).withPaused(true);
        Definition former = here.definitions().create(paused).orElseThrow();
        here.definitions().delete("forgotten");
        Definition latter = here.definitions().create(paused).orElseThrow();
        here.history().add(result(former.historyName()));
        here.history().add(result(latter.historyName()));
        here.history().flush();

        there.forgetDeleted();

        assertThat(here.history().names()).contains(latter.historyName()).doesNotContain(former.historyName());
    }

    private static Result result(String name) {
        Instant at = InstantSource.system().instant().minusSeconds(60);
        return new Result(name, at, Duration.ofSeconds(30), false, true, false, 7, null, "refused");
    }

    private void create(String id) {
        assertThat(here.definitions().create(monitor(id, List.of(), null, QUICK)))
                .isPresent();
    }

    private Monitor monitor(String id, List<String> dependsOn, @Nullable Duration remindEvery, Rhythm rhythm) {
        return monitor(id, "/" + id, dependsOn, remindEvery, rhythm);
    }

    private Monitor monitor(
            String id, String path, List<String> dependsOn, @Nullable Duration remindEvery, Rhythm rhythm) {
        CheckSpec spec = new CheckSpec(
                CheckType.HTTP, target.url(path), Duration.ofSeconds(1), List.of(), CheckOptions.DEFAULTS);
        return new Monitor(id, id, spec, rhythm, null, List.of(), dependsOn, List.of("ops"), remindEvery, false);
    }

    /** As it is when it is shown. */
    private static Object seen(Supplier<?> what) {
        return new Object() {
            @Override
            public String toString() {
                return String.valueOf(what.get());
            }
        };
    }

    private Live live(String id) {
        return here.monitors().find(id).orElseThrow().live();
    }

    private void awaitState(String id, State state) {
        Eventually.until(id + " is " + state, seen(() -> live(id)), () -> live(id).state() == state);
    }

    private List<Incident> incidents(String id) {
        return here.incidents().list(false, id, Long.MAX_VALUE, 100);
    }

    private Incident awaitOpen(String id) {
        Eventually.until(
                id + " has an open incident",
                seen(() -> incidents(id)),
                () -> incidents(id).stream().anyMatch(Incident::isOpen));
        return incidents(id).getFirst();
    }

    private List<String> events(String id) {
        return receiver.at("/hook").stream()
                .map(Receiver.Received::body)
                .filter(body -> body.contains("\"id\":\"" + id + "\""))
                .map(body -> body.replaceAll(".*\"event\":\"([^\"]+)\".*", "$1"))
                .toList();
    }

    private List<String> keys(String id) {
        return receiver.at("/hook").stream()
                .filter(received -> received.body().contains("\"id\":\"" + id + "\""))
                .map(Receiver.Received::key)
                .toList();
    }

    private void awaitEvents(String id, String... events) {
        Eventually.until(
                id + " was told as " + List.of(events),
                seen(() -> events(id)),
                () -> events(id).equals(List.of(events)));
    }

    private void awaitCount(String id, String event, Predicate<Long> enough) {
        Eventually.until(
                id + " was told of " + event,
                seen(() -> events(id)),
                () -> enough.test(events(id).stream().filter(event::equals).count()));
    }
}
