package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever is done to an agenda, in whatever order, repeated or late, under whatever clock: it does what the oracle says. */
class AgendaPropertiesIT {
    private static final Instant START = Instant.parse("2026-06-01T12:00:00Z");
    private static final Partition PARTITION = new Partition("e0");

    private static RedisServer server;
    private static SettableClock clock;
    private static Redis redis;

    @BeforeContainer
    static void startRedis() {
        server = RedisServer.start();
        clock = SettableClock.at(START);
        redis = Redis.connect(Sample.patient(server.uri()).withClock(clock), ErrandKeys.KEYSPACE, TestMeters.REGISTRY);
    }

    @AfterContainer
    static void stopRedis() {
        redis.close();
        server.close();
    }

    /** What to do, to which entry or to which earlier claim, and with what time. */
    record Step(Verb verb, int which, long ms) {}

    enum Verb {
        PUT,
        CLAIM,
        EXTEND,
        RESCHEDULE,
        DONE,
        DROP,
        TIME_PASSES,
        CLOCK_JUMPS_BACK
    }

    @Provide
    Arbitrary<List<Step>> histories() {
        Arbitrary<Verb> verbs = Arbitraries.frequency(
                net.jqwik.api.Tuple.of(4, Verb.PUT),
                net.jqwik.api.Tuple.of(5, Verb.CLAIM),
                net.jqwik.api.Tuple.of(2, Verb.EXTEND),
                net.jqwik.api.Tuple.of(3, Verb.RESCHEDULE),
                net.jqwik.api.Tuple.of(3, Verb.DONE),
                net.jqwik.api.Tuple.of(1, Verb.DROP),
                net.jqwik.api.Tuple.of(4, Verb.TIME_PASSES),
                net.jqwik.api.Tuple.of(1, Verb.CLOCK_JUMPS_BACK));
        return Combinators.combine(
                        verbs,
                        Arbitraries.integers().between(0, 1000),
                        Arbitraries.longs().between(1, 5000))
                .as(Step::new)
                .list()
                .ofMinSize(10)
                .ofMaxSize(80);
    }

    @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
    void anAgendaDoesWhatItsOracleSays(@ForAll("histories") List<Step> history) {
        server.flushAll();
        clock.set(START);
        Agenda agenda =
                new Agenda(redis, ReadyPartition.open(redis, PARTITION, 1), ErrandKeys.SCHEDULE, ErrandKeys.FENCES);
        AgendaOracle oracle = new AgendaOracle();
        List<Claim> everClaimed = new ArrayList<>();
        Map<String, Fence> lastFence = new HashMap<>();

        for (Step step : history) {
            long now = clock.instant().toEpochMilli();
            String id = "e" + step.which() % 8;
            switch (step.verb()) {
                case PUT -> {
                    agenda.put(PARTITION, id, Due.in(Duration.ofMillis(step.ms())));
                    oracle.put(id, now + step.ms());
                }
                case CLAIM -> {
                    int max = 1 + step.which() % 5;
                    List<Claim> claims = agenda.claim(PARTITION, max, Duration.ofMillis(step.ms()))
                            .claims();
                    assertThat(claims).extracting(Claim::id).containsExactlyElementsOf(oracle.due(now, max));
                    for (Claim claim : claims) {
                        Fence before = lastFence.put(claim.id(), claim.fence());
                        assertThat(before == null || claim.fence().compareTo(before) > 0)
                                .as("fences of %s grow", claim.id())
                                .isTrue();
                        oracle.claimed(claim.id(), claim.fence(), now + step.ms());
                    }
                    everClaimed.addAll(claims);
                }
                case EXTEND, RESCHEDULE, DONE -> {
                    if (!everClaimed.isEmpty()) {
                        settle(agenda, oracle, step, everClaimed.get(step.which() % everClaimed.size()), now);
                    }
                }
                case DROP -> {
                    agenda.drop(PARTITION, List.of(id));
                    oracle.dropped(id);
                }
                case TIME_PASSES -> clock.advance(Duration.ofMillis(step.ms()));
                case CLOCK_JUMPS_BACK -> clock.set(clock.instant().minusMillis(step.ms()));
            }
            assertThat(schedule()).as("after %s", step).isEqualTo(oracle.schedule());
            assertThat(agenda.depth(PARTITION).held()).isEqualTo(oracle.held());
        }
    }

    /** Any claim that ever was, current or long replaced, tries to act: only the last one of its entry may. */
    private static void settle(Agenda agenda, AgendaOracle oracle, Step step, Claim claim, long now) {
        boolean valid = oracle.holds(claim.id(), claim.fence());
        Duration time = Duration.ofMillis(step.ms());
        List<Claim> refused = switch (step.verb()) {
            case EXTEND -> agenda.extend(List.of(claim), time);
            case RESCHEDULE -> agenda.reschedule(Map.of(claim, Due.in(time)));
            default -> agenda.done(List.of(claim));
        };
        assertThat(refused.isEmpty()).as("%s of %s", step, claim).isEqualTo(valid);
        if (valid) {
            switch (step.verb()) {
                case EXTEND -> oracle.extended(claim.id(), now + step.ms());
                case RESCHEDULE -> oracle.settled(claim.id(), OptionalLong.of(now + step.ms()));
                default -> oracle.settled(claim.id(), OptionalLong.empty());
            }
        }
    }

    private static Map<String, Long> schedule() {
        Map<String, Long> live = new TreeMap<>();
        server.commands()
                .zrangeWithScores(redis.keyspace().wholeName(ErrandKeys.SCHEDULE.of(PARTITION)), 0, -1)
                .forEach(entry -> live.put(entry.getValue(), (long) entry.getScore()));
        return live;
    }
}
