package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What subscribers may rely on, on one Redis and on a Cluster alike. */
abstract class EventsContract {
    private static final List<String> TOPICS = List.of("jobs", "system");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RedisTarget target;
    private final SettableClock clock = SettableClock.at(Instant.parse("2026-01-01T00:00:00Z"));
    private Redis redis;
    private Redis otherRedis;
    private Events here;
    private Events there;

    EventsContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void connect() {
        target.flushAll();
        redis = Sample.connect(Sample.patient(target.uri()).withClock(clock));
        otherRedis = Sample.connect(Sample.patient(target.uri()).withClock(clock));
        here = new Events(redis, TOPICS);
        there = new Events(otherRedis, TOPICS);
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        redis.close();
        otherRedis.close();
    }

    @Test
    void theFirstEventEverReachesSubscribersOfEveryInstance() {
        Subscription mine = subscribe(here, "jobs");
        Subscription theirs = subscribe(there, "jobs");

        String id = here.publish("jobs", "created", "{\"id\":1}");

        Event expected = new Event(Optional.of(id), "jobs.created", "{\"id\":1}");
        assertThat(next(mine)).isEqualTo(expected);
        assertThat(next(theirs)).isEqualTo(expected);
    }

    @Test
    void aSubscriberGetsOnlyItsTopics() {
        Subscription jobs = subscribe(there, "jobs");

        here.publish("system", "started", "{}");
        here.publish("jobs", "created", "{}");

        assertThat(next(jobs).name()).isEqualTo("jobs.created");
    }

    @Test
    void aTopicThatIsNotThereIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> here.publish("nothing", "happened", "{}"))
                .withMessageContaining("there is no topic \"nothing\"");
        assertThatIllegalArgumentException().isThrownBy(() -> subscribe(here, "nothing"));
    }

    @Test
    void eventsOfSeveralTopicsComeInOneOrderThoughOneTopicIsMuchBusier() {
        Subscription both = subscribe(there, "jobs", "system");
        List<String> published = new ArrayList<>();

        for (int i = 0; i < 1_500; i++) {
            published.add(here.publish(i % 50 == 0 ? "system" : "jobs", "n" + i, "{}"));
        }

        assertThat(ids(take(both, 1_500))).isEqualTo(published);
    }

    @Test
    void aResumedSubscriberGetsEachEventOnceWhileOthersPublish() {
        String seen = here.publish("jobs", "seen", "{}");
        CompletableFuture<List<String>> publishing = CompletableFuture.supplyAsync(() -> IntStream.range(0, 300)
                .mapToObj(i -> here.publish(i % 2 == 0 ? "jobs" : "system", "n", "{}"))
                .toList());
        List<Subscription> resumed = new ArrayList<>();
        while (!publishing.isDone()) {
            resumed.add(there.subscribe(Set.of("jobs", "system"), Optional.of(seen)));
        }

        List<String> published = publishing.join();
        assertThat(resumed).isNotEmpty();
        resumed.forEach(subscription -> assertThat(ids(take(subscription, 300))).isEqualTo(published));
    }

    @Test
    void whoHasSeenTheLastEventResumesWithTheNextHoweverLongItTakes() {
        String seen = here.publish("jobs", "seen", "{}");
        clock.advance(Duration.ofHours(2));

        Subscription resumed = there.subscribe(Set.of("jobs"), Optional.of(seen));
        String next = here.publish("jobs", "next", "{}");

        assertThat(next(resumed).id()).contains(next);
    }

    @Test
    void whoAsksForMoreThanIsKeptGetsAReset() {
        String seen = here.publish("jobs", "seen", "{}");
        clock.advance(CoreKeys.EVENTS_KEPT.plusSeconds(1));
        here.publish("jobs", "later", "{}");

        assertReset(there.subscribe(Set.of("jobs"), Optional.of(seen)));
    }

    @Test
    void whoAsksForMoreThanIsWorthSendingGetsAReset() {
        String seen = here.publish("jobs", "seen", "{}");
        for (int i = 0; i < 1_001; i++) {
            here.publish("jobs", "n", "{}");
        }

        assertReset(there.subscribe(Set.of("jobs"), Optional.of(seen)));
    }

    @Test
    void whoNamesAnEventThatNeverWasGetsAReset() {
        here.publish("jobs", "created", "{}");

        assertReset(there.subscribe(Set.of("jobs"), Optional.of("1-0")));
        assertReset(there.subscribe(Set.of("jobs"), Optional.of("9999999999999999-0")));
        assertReset(there.subscribe(Set.of("jobs"), Optional.of("no id")));
    }

    @Test
    void afterALossEverySubscriberGetsOneResetAndThenWhatIsNew() {
        Subscription live = subscribe(there, "jobs");
        String lost = here.publish("jobs", "lost", "{}");
        assertThat(next(live).id()).contains(lost);

        target.flushAll();
        assertReset(live);
        clock.advance(Duration.ofSeconds(1));
        String after = here.publish("jobs", "after", "{}");

        assertThat(next(live).id()).contains(after);
        assertReset(there.subscribe(Set.of("jobs"), Optional.of(lost)));
    }

    @Test
    void streamsThatWentWithoutALossCauseNoReset() {
        Subscription live = subscribe(there, "jobs");
        here.publish("jobs", "first", "{}");
        assertThat(next(live).name()).isEqualTo("jobs.first");

        // As when nothing is published for ten minutes.
        target.commands().del(Sample.nameOf(CoreKeys.EVENTS.of("jobs")));
        here.publish("jobs", "second", "{}");

        assertThat(next(live).name()).isEqualTo("jobs.second");
    }

    @Test
    void aStreamLetsGoOfWhatIsTooOldAndGoesByItself() {
        String stream = Sample.nameOf(CoreKeys.EVENTS.of("jobs"));
        for (int i = 0; i < 300; i++) {
            here.publish("jobs", "old", "{}");
        }
        clock.advance(CoreKeys.EVENTS_KEPT.plusSeconds(1));
        here.publish("jobs", "new", "{}");

        // Streams let go of whole nodes of 100 entries.
        assertThat(target.commands().xlen(stream)).isLessThanOrEqualTo(101);
        assertThat(target.commands().pttl(stream))
                .isBetween(1L, CoreKeys.EVENTS_KEPT.multipliedBy(2).toMillis());
        assertThat(target.commands().ttl(Sample.nameOf(CoreKeys.EVENTS_CLOCK.of())))
                .isEqualTo(-1);
    }

    @Test
    void aBusyStreamHoldsItsLatestEventsAlone() {
        List<Key> keys = List.of(CoreKeys.EVENTS_CLOCK.of(), CoreKeys.EVENTS.of("jobs"));
        Script.Call busy = new Script.Call(keys, List.of("", "n", "{}", "300000", "100"));

        Events.PUBLISH.runAll(redis, Collections.nCopies(1_000, busy));

        assertThat(target.commands().xlen(Sample.nameOf(CoreKeys.EVENTS.of("jobs"))))
                .isBetween(100L, 200L);
    }

    @Test
    void aSubscriberThatDoesNotKeepUpGetsAResetAndWhatIsNew() {
        Subscription slow = subscribe(there, "jobs");
        Subscription quick = subscribe(there, "jobs");
        for (int i = 0; i < 2_100; i++) {
            here.publish("jobs", "n" + i, "{}");
            next(quick);
        }

        assertReset(slow);
        List<Event> rest = take(slow, 100);
        assertThat(rest.getFirst().name()).isEqualTo("jobs.n2000");
        assertThat(rest.getLast().name()).isEqualTo("jobs.n2099");
    }

    @Test
    void closingEndsWaitingSubscribersAtOnce() {
        Subscription waiting = subscribe(there, "jobs");
        CompletableFuture<Optional<Event>> next = CompletableFuture.supplyAsync(() -> {
            try {
                return waiting.next(Duration.ofDays(1));
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });

        there.close();

        assertThat(next.join()).isEmpty();
        assertThat(waiting.isOpen()).isFalse();
        assertThat(there.subscribers()).isZero();
        Eventually.until("nothing is read any more", () -> !there.isReading());
    }

    @Test
    void readingDoesNotHoldUpOtherCalls() {
        Eventually.until("events are read", () -> there.isReading());

        for (int i = 1; i <= 100; i++) {
            assertThat(Sample.increment(otherRedis, Sample.counter("events", "a")))
                    .isEqualTo(i);
        }
        assertThat(otherRedis.usage().inFlight()).isZero();
    }

    private static Subscription subscribe(Events events, String... topics) {
        return events.subscribe(Set.of(topics), Optional.empty());
    }

    private static void assertReset(Subscription subscription) {
        assertThat(next(subscription).name()).isEqualTo(Event.RESET);
    }

    private static List<Event> take(Subscription subscription, int count) {
        return IntStream.range(0, count).mapToObj(i -> next(subscription)).toList();
    }

    private static List<String> ids(List<Event> events) {
        return events.stream().map(event -> event.id().orElse("reset")).toList();
    }

    static Event next(Subscription subscription) {
        try {
            return subscription.next(PATIENCE).orElseThrow(() -> new AssertionError("no event came"));
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
