package dev.hotstate.monitors;

import dev.hotstate.core.Key;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Service;
import dev.hotstate.core.ShortName;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The keys of monitors: one partition holds all that one script may have to change together. */
public final class MonitorKeys {
    /** Of an id in a key: a longer one keeps its beginning and a hash, or a key would reach 100 bytes. */
    private static final int MAX_ID = 40;

    private static final int ID_HASH = 14;
    private static final int MAX_TAG = 6;

    /** Longer than any monitor may take between two outcomes, and three times what most may. */
    static final Duration LONGEST_STATUS = Duration.ofDays(96);

    static final KeyFamily SCHEDULE = KeyFamily.zset("{<partition>}:monitor:schedule")
            .id("partition", MAX_TAG)
            .owner("monitors")
            .field("<monitor>", "its score is its next run, or the end of the lease of whoever checks it (ms)")
            .kept("one entry a monitor that is not paused")
            .typically(1_000, 20)
            .example("{m0}:monitor:schedule")
            .why("which monitors are due; claimed by lease, so what a dead instance held comes back")
            .declared();

    static final KeyFamily FENCES = KeyFamily.hash("{<partition>}:monitor:fences")
            .id("partition", MAX_TAG)
            .owner("monitors")
            .field("<monitor>", "the fence of the claim under which it is being checked")
            .kept("one entry a check under way")
            .typically(20, 40)
            .example("{m0}:monitor:fences")
            .why("an outcome is recorded only under the last claim's fence")
            .declared();

    static final KeyFamily VERSIONS = KeyFamily.hash("{<partition>}:monitor:versions")
            .id("partition", MAX_TAG)
            .owner("monitors")
            .field("<monitor>", "the version of its definition that the schedule follows")
            .kept("one entry a monitor")
            .typically(1_000, 20)
            .example("{m0}:monitor:versions")
            .why("an instance that has not heard of a change learns of it before it checks")
            .declared();

    static final KeyFamily STATES = KeyFamily.zset("{<partition>}:monitor:states")
            .id("partition", MAX_TAG)
            .owner("monitors")
            .field(
                    "<monitor>",
                    "1 maintenance, 2 pending, 3 down, 4 degraded, 5 up, times 10^13, and when it is stale (ms)")
            .kept("one entry a monitor that is not paused")
            .typically(1_000, 20)
            .example("{m0}:monitor:states")
            .why("counts and lists by state without looking at every monitor")
            .declared();

    static final KeyFamily LATENCIES = KeyFamily.zset("{<partition>}:monitor:latencies")
            .id("partition", MAX_TAG)
            .owner("monitors")
            .field("<monitor>", "the latency of its last outcome (ms)")
            .kept("one entry a monitor that is not paused")
            .typically(1_000, 20)
            .example("{m0}:monitor:latencies")
            .why("lists by latency without looking at every monitor")
            .declared();

    static final KeyFamily STATUS = KeyFamily.hash("{<partition>}:monitor:status:<id>")
            .id("partition", MAX_TAG)
            .text("id", MAX_ID)
            .owner("monitors")
            .field("status_code", "of the last answer, where there is one")
            .field("latency_ms", "of the last outcome")
            .field("checked_at", "when it was recorded (ms)")
            .field("ok", "1 or 0")
            .field("error", "why it failed")
            .field("last_ok_at", "when it last succeeded (ms)")
            .field("certificate_days", "until the certificate ends")
            .field("phases_ms", "where the time went: name, connection, TLS, first byte; a dash where there is none")
            .field("started_at", "when the job of a push monitor said that it began (ms)")
            .field(
                    "kind",
                    "ok, status_code, certificate_days and what else seldom changes: while it is the same, so are they")
            .expires(LONGEST_STATUS)
            .typically(8, 18)
            .example("{m0}:monitor:status:web-1")
            .why("the last outcome of either kind; lives for a day, or three times as long as an outcome may take")
            .declared();

    static final KeyFamily INCIDENT = KeyFamily.hash("{<partition>}:monitor:incident:<id>")
            .id("partition", MAX_TAG)
            .text("id", MAX_ID)
            .owner("monitors")
            .field("failure_count", "failures in a row that counted")
            .field("first_failure_at", "of these (ms)")
            .field("last_failure_at", "of these (ms)")
            .field("alerted", "1 once PostgreSQL has the incident and its alerts")
            .field("incident_id", "its number there")
            .field("wanted", "1 once the threshold was reached")
            .field("ok_count", "successes in a row since the last failure")
            .field("error", "of the last failure")
            .kept("exists while its monitor fails, and goes with its recovery")
            .typically(7, 22)
            .example("{m0}:monitor:incident:web-1")
            .why("whether something is wrong now, and whether it was told")
            .declared();

    static final KeyFamily RETRY = KeyFamily.string("{<partition>}:monitor:retry:<id>")
            .id("partition", MAX_TAG)
            .text("id", MAX_ID)
            .owner("monitors")
            .field("count", "quick second looks so far")
            .expires(Duration.ofHours(2))
            .typically(1, 1)
            .example("{m0}:monitor:retry:web-1")
            .why("whether a failure is being looked at again; lives longer than the second look can take")
            .declared();

    static final KeyFamily ENDED = KeyFamily.list("{<partition>}:monitor:ended:<id>")
            .id("partition", MAX_TAG)
            .text("id", MAX_ID)
            .owner("monitors")
            .field("first_failure_at ended_at failure_count incident_id error", "an outage that is over")
            .bounded(200)
            .typically(1, 80)
            .example("{m0}:monitor:ended:web-1")
            .why("outages that PostgreSQL has not closed yet; empty but for the moment that takes, or while it is away")
            .declared();

    static final KeyFamily UNSETTLED = KeyFamily.zset("{<partition>}:monitor:unsettled")
            .id("partition", MAX_TAG)
            .owner("monitors")
            .field("<monitor>", "when somebody should tell PostgreSQL, if nobody has by then (ms)")
            .kept("one entry a monitor whose incident PostgreSQL does not know yet")
            .typically(1, 20)
            .example("{m0}:monitor:unsettled")
            .why("an incident that was not written because a process died, or PostgreSQL was away, is taken up")
            .declared();

    static final KeyFamily BEATS = KeyFamily.string("{<partition>}:monitor:beats:<id>")
            .id("partition", MAX_TAG)
            .text("id", MAX_ID)
            .owner("monitors")
            .field(
                    "state latency gap",
                    "nine characters an outcome: u d g or m, then ms and seconds since the last, in hex; over 18 hours it is minutes, and begins with a letter after f")
            .expires(LONGEST_STATUS)
            .typically(1, 540)
            .example("{m0}:monitor:beats:web-1")
            .why("the last thirty outcomes, for the bar beside a monitor's name; up to sixty are there")
            .declared();

    static final KeyFamily PACE = KeyFamily.hash("{<partition>}:monitor:pace:<slot>")
            .id("partition", MAX_TAG)
            .id("slot", 12)
            .owner("monitors")
            .field("passed failed", "outcomes of these ten seconds")
            .field("lag:<bucket>", "checks that began so late: 2^(bucket/4) ms")
            .expires(Duration.ofMinutes(2))
            .typically(10, 10)
            .example("{m0}:monitor:pace:178000000")
            .why("checks a second and how late they begin, over all instances; the last minute is shown")
            .declared();

    public static final Service SERVICE = new Service(
            "monitors",
            List.of(
                    SCHEDULE, FENCES, VERSIONS, STATES, LATENCIES, STATUS, INCIDENT, RETRY, ENDED, UNSETTLED, BEATS,
                    PACE),
            List.of(
                    RedisOutcomes.RECORD,
                    RedisPlaces.PLACE,
                    RedisPlaces.REMOVE,
                    RedisWhole.WHOLE,
                    RedisPlaces.REVIVE,
                    RedisPlaces.COVER,
                    RedisLive.LOOK,
                    RedisLive.COUNT,
                    RedisLive.SELECT,
                    RedisOutages.UNSETTLED,
                    RedisOutages.OUTAGES,
                    RedisOutages.SETTLED,
                    RedisOutages.RECALL,
                    RedisOutages.FORGET,
                    RedisPings.BEGUN),
            Set.of("hmget", "hgetall", "hset", "zrange"));

    private MonitorKeys() {}

    /** The key of one monitor in a family that has one for each. */
    static Key of(KeyFamily family, Partition partition, String id) {
        return family.of(partition, ShortName.of(id, MAX_ID, ID_HASH));
    }
}
