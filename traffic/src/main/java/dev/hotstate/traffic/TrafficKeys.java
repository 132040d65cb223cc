package dev.hotstate.traffic;

import dev.hotstate.core.Key;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Service;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The keys of request metrics, under one tag: a flush changes its counters together. An endpoint or an instance stands in
 * a key as its {@link Names#segment}.
 */
public final class TrafficKeys {
    private static final String OWNER = "traffic";

    /** A gauge is gone when nobody has flushed for so long. */
    static final Duration GAUGE_KEPT = Duration.ofSeconds(5);

    /** How long an instance's counter, and what it flushed last, are remembered after its last flush. */
    static final Duration INSTANCE_KEPT = Duration.ofHours(24);

    static final Duration HOUR_KEPT = Duration.ofHours(24);

    private static final String CAPPED = "a total of the application; the cap of endpoints bounds how many there are";
    private static final String ONE = "a total of the application, one key";

    static final KeyFamily CURRENT = gauge("{t}:connections:http:current", "connections that are open now");
    static final KeyFamily MAX_CURRENT =
            one("{t}:connections:http:max_since_startup", "the most that were open at once");
    static final KeyFamily ACCEPTED = one("{t}:requests:accepted", "requests but for those refused with 429 or 503");
    static final KeyFamily TOTAL = one("{t}:requests:total", "requests of all instances and endpoints");
    static final KeyFamily SPEED = gauge("{t}:requests:speed_per_second", "requests of the last closed second");
    static final KeyFamily MAX_SPEED = one("{t}:requests:max_speed_per_second", "the most requests in a second");
    static final KeyFamily ERRORS = one("{t}:errors:total", "answers of status 400 and above");

    static final KeyFamily ENDPOINT_REQUESTS = endpoint("{t}:requests:endpoint:<endpoint>", "requests of an endpoint");
    static final KeyFamily ENDPOINT_ERRORS = endpoint("{t}:errors:endpoint:<endpoint>", "errors of an endpoint");
    static final KeyFamily RESPONSE_SUM =
            endpoint("{t}:avg_response:<endpoint>", "all response times of an endpoint added up, in ms");
    static final KeyFamily RESPONSE_COUNT =
            endpoint("{t}:response_count:<endpoint>", "how many response times are in that sum");

    static final KeyFamily RESPONSE_TIMES = KeyFamily.zset("{t}:response_times:<endpoint>")
            .text("endpoint", Names.MAX_BYTES)
            .owner(OWNER)
            .field("member", "response time in ms, status, and what makes it unique")
            .field("score", "when it was answered (ms)")
            .bounded(RedisTraffic.SAMPLES_KEPT)
            .typically(RedisTraffic.SAMPLES_KEPT, 40)
            .example("{t}:response_times:GET /api/users")
            .why(
                    "the last 1,000 requests of an endpoint that were sent: a process sends the newest of its second, 1,000 for"
                            + " each 50 endpoints that were asked for, shared fairly")
            .declared();

    static final KeyFamily STATUS_ERRORS = KeyFamily.string("{t}:errors:status:<status>")
            .id("status", 3)
            .owner(OWNER)
            .field("value", "a count")
            .kept("a total of the application; there are 200 such statuses")
            .typically(1, 8)
            .example("{t}:errors:status:404")
            .why("errors of a status")
            .declared();

    static final KeyFamily INSTANCE_REQUESTS = KeyFamily.string("{t}:requests:instance:<instance>")
            .text("instance", Names.MAX_BYTES)
            .owner(OWNER)
            .field("value", "a count")
            .expires(INSTANCE_KEPT)
            .typically(1, 8)
            .example("{t}:requests:instance:web-1")
            .why("requests of an instance; gone a day after its last flush, so that names cannot pile up")
            .declared();

    static final KeyFamily HOURLY = KeyFamily.string("{t}:requests:hourly:<start>")
            .id("start", 13)
            .owner(OWNER)
            .field("value", "a count")
            .expires(HOUR_KEPT)
            .typically(1, 8)
            .example("{t}:requests:hourly:1672531200000")
            .why("requests of an hour, for a day after its last one")
            .declared();

    static final KeyFamily ENDPOINTS = KeyFamily.hash("{t}:traffic:endpoints")
            .owner(OWNER)
            .field("<endpoint>", "as it stands in keys; the value is its full name")
            .kept("one hash, bounded by the cap of endpoints")
            .typically(100, 60)
            .example("{t}:traffic:endpoints")
            .why("which endpoints there are; holds their number against the cap")
            .declared();

    static final KeyFamily SEEN = KeyFamily.zset("{t}:traffic:endpoints_seen")
            .owner(OWNER)
            .field("member", "an endpoint as it stands in keys")
            .field("score", "when it was last flushed (ms)")
            .kept("one sorted set, bounded by the cap of endpoints")
            .typically(100, 30)
            .example("{t}:traffic:endpoints_seen")
            .why("an endpoint that nobody asked for in 26 hours gives its place to another")
            .declared();

    static final KeyFamily STATUSES = KeyFamily.set("{t}:traffic:statuses")
            .owner(OWNER)
            .field("member", "a status of 400 to 599 that was answered")
            .bounded(200)
            .typically(8, 3)
            .example("{t}:traffic:statuses")
            .why("which statuses have a counter")
            .declared();

    static final KeyFamily INSTANCES = KeyFamily.zset("{t}:traffic:instances")
            .owner(OWNER)
            .field("member", "the name of an instance")
            .field("score", "when it counts as gone unless it flushes (ms)")
            .expires(INSTANCE_KEPT)
            .typically(10, 20)
            .example("{t}:traffic:instances")
            .why("which instances there are, and were within a day, at most 1,000; those beyond count as other")
            .declared();

    static final KeyFamily CONNECTIONS = KeyFamily.hash("{t}:traffic:connections")
            .owner(OWNER)
            .field("<writer>", "end of its lease (ms), connections now, the most of its last second")
            .expires(Duration.ofMinutes(1))
            .typically(10, 40)
            .example("{t}:traffic:connections")
            .why("connections of each living process: one that crashed is out of the sum when its lease ends")
            .declared();

    static final KeyFamily SECONDS = KeyFamily.hash("{t}:traffic:seconds")
            .owner(OWNER)
            .field("<second>", "requests of all instances in that second")
            .expires(Duration.ofMinutes(1))
            .typically(10, 16)
            .example("{t}:traffic:seconds")
            .why("adds up the fleet's requests a second until the second is closed")
            .declared();

    static final KeyFamily WRITER = KeyFamily.string("{t}:traffic:writer:<writer>")
            .id("writer", 16)
            .owner(OWNER)
            .field("value", "the last sequence of this writer that was added")
            .expires(INSTANCE_KEPT)
            .typically(1, 8)
            .example("{t}:traffic:writer:k3j9x0q2m1")
            .why("a flush that is sent again counts once")
            .declared();

    static final KeyFamily LIFE = KeyFamily.string("{t}:traffic:life")
            .owner(OWNER)
            .field("value", "the number of this life of the counters, greater than that of any before")
            .kept("one small key: without it, the counters count as lost")
            .typically(1, 16)
            .example("{t}:traffic:life")
            .why("tells counters that were lost, or an older copy of them, from those that are whole")
            .declared();

    static final KeyFamily TOLD = KeyFamily.hash("{t}:traffic:told")
            .owner(OWNER)
            .field("at", "when (ms)")
            .field("figures", "the total, open connections and speed that were told")
            .expires(Duration.ofMinutes(1))
            .typically(2, 24)
            .example("{t}:traffic:told")
            .why("of all instances one tells what changed, once a second at most")
            .declared();

    static final KeyFamily SLOT = slot("{t}:traffic:slot:<level>:<start>")
            .field("<writer> <instance> <endpoint>", "requests, errors, sum in us, histogram")
            .typically(100, 200)
            .example("{t}:traffic:slot:10s:1672531200000")
            .why("what each instance counted for each endpoint in a stretch of time; windows are merged from them")
            .declared();

    static final KeyFamily FLEET = slot("{t}:traffic:fleet:<level>:<start>")
            .field("<writer> <instance>", "requests, errors, sum in us, histogram")
            .typically(10, 200)
            .example("{t}:traffic:fleet:1h:1672531200000")
            .why("the same over all endpoints of an instance, so that the fleet's figures are cheap to read")
            .declared();

    public static final Service SERVICE = new Service(
            OWNER,
            List.of(
                    CURRENT,
                    MAX_CURRENT,
                    ACCEPTED,
                    TOTAL,
                    SPEED,
                    MAX_SPEED,
                    ERRORS,
                    ENDPOINT_REQUESTS,
                    ENDPOINT_ERRORS,
                    RESPONSE_SUM,
                    RESPONSE_COUNT,
                    RESPONSE_TIMES,
                    STATUS_ERRORS,
                    INSTANCE_REQUESTS,
                    HOURLY,
                    ENDPOINTS,
                    SEEN,
                    STATUSES,
                    INSTANCES,
                    CONNECTIONS,
                    SECONDS,
                    WRITER,
                    LIFE,
                    TOLD,
                    SLOT,
                    FLEET),
            List.of(
                    RedisTraffic.FLUSH,
                    RedisTraffic.RESTORE,
                    RedisTraffic.RETIRE,
                    RedisTraffic.LIVING,
                    RedisTraffic.NEWS),
            Set.of("get", "hget", "hgetall", "hlen", "hmget", "smembers", "zrange", "zrangebyscore", "zrevrange"));

    private TrafficKeys() {}

    static Key hourly(long startMs) {
        return HOURLY.of(Long.toString(startMs));
    }

    private static KeyFamily gauge(String pattern, String why) {
        return KeyFamily.string(pattern)
                .owner(OWNER)
                .field("value", "a number")
                .expires(GAUGE_KEPT)
                .typically(1, 4)
                .example(pattern)
                .why(why + "; gone when nobody is there to count")
                .declared();
    }

    private static KeyFamily one(String pattern, String why) {
        return KeyFamily.string(pattern)
                .owner(OWNER)
                .field("value", "a number")
                .kept(ONE)
                .typically(1, 8)
                .example(pattern)
                .why(why)
                .declared();
    }

    private static KeyFamily endpoint(String pattern, String why) {
        return KeyFamily.string(pattern)
                .text("endpoint", Names.MAX_BYTES)
                .owner(OWNER)
                .field("value", "a number")
                .kept(CAPPED)
                .typically(1, 8)
                .example(pattern.replace("<endpoint>", "GET /api/users"))
                .why(why)
                .declared();
    }

    private static KeyFamily.Builder slot(String pattern) {
        return KeyFamily.hash(pattern)
                .id("level", 3)
                .id("start", 13)
                .owner(OWNER)
                .expires(Duration.ofMillis(Level.HOUR.keptMs()));
    }
}
