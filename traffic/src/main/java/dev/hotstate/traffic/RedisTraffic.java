package dev.hotstate.traffic;

import static java.util.Objects.requireNonNull;

import dev.hotstate.core.Key;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import dev.hotstate.traffic.Checkpoint.EndpointTotals;
import dev.hotstate.traffic.Slots.Blob;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Request metrics in Redis: what is written in one script, and what is read. */
final class RedisTraffic {
    /** The samples that an endpoint keeps. */
    static final int SAMPLES_KEPT = 1_000;

    /** A process that does not flush for so long is gone, and its connections with it. */
    static final Duration LEASE = Duration.ofSeconds(5);

    /** The same for an instance that reports from elsewhere, in batches of its own choice. */
    static final Duration REPORTER_LEASE = Duration.ofSeconds(60);

    /** A repeat changes nothing: it is known by its sequence. */
    static final Script<Flushed> FLUSH = Script.of(
                    RedisTraffic.class,
                    "flush",
                    List.of(
                            "life",
                            "writer",
                            "endpoints",
                            "instances",
                            "connections",
                            "seconds",
                            "current",
                            "max_current",
                            "speed",
                            "max_speed",
                            "counted…"),
                    RedisTraffic::flushed)
            .repeatable();

    static final Script<Boolean> RESTORE = Script.of(
                    RedisTraffic.class,
                    "restore",
                    List.of("life", "counted…"),
                    reply -> reply.word().equals("RESTORED"))
            .repeatable();

    private final Redis redis;
    private final int endpointCap;

    RedisTraffic(Redis redis, int endpointCap) {
        this.redis = redis;
        this.endpointCap = endpointCap;
    }

    /**
     * What goes with a part at the moment it is sent.
     *
     * @param second of the sender's clock
     * @param leaves whether the writer ends its lease
     */
    record Sending(Writer writer, long second, int connections, int peak, boolean leaves) {
        Duration lease() {
            if (leaves) {
                return Duration.ZERO;
            }
            return writer.process() ? LEASE : REPORTER_LEASE;
        }
    }

    Flushed flush(Part part, Sending sending) {
        Writer writer = sending.writer();
        List<String> args = new ArrayList<>(List.of(
                redis.scriptTime(),
                Long.toString(part.sequence()),
                writer.id(),
                writer.instance(),
                Long.toString(sending.second()),
                Long.toString(sending.lease().toMillis()),
                writer.process() ? Integer.toString(sending.connections()) : "",
                Integer.toString(sending.peak()),
                Integer.toString(endpointCap),
                Integer.toString(part.shares().size()),
                Integer.toString(part.whole().seconds().size())));
        part.shares().forEach(share -> {
            args.add(share.endpoint().segment());
            args.add(share.endpoint().name());
        });
        part.whole().seconds().forEach((second, count) -> {
            args.add(second.toString());
            args.add(count.toString());
        });
        Changes changes = new Changes(flushKeys(writer));
        add(changes, part.whole(), writer);
        part.shares().forEach(share -> add(changes, part, share, writer));
        args.addAll(changes.args());
        return FLUSH.run(redis, changes.keys(), args);
    }

    /** Begins a new life with these totals; false when somebody else did. */
    boolean restore(Checkpoint checkpoint) {
        Changes changes = new Changes(List.of(TrafficKeys.LIFE.of()));
        changes.increment(TrafficKeys.TOTAL.of(), checkpoint.total());
        changes.increment(TrafficKeys.ACCEPTED.of(), checkpoint.accepted());
        changes.increment(TrafficKeys.ERRORS.of(), checkpoint.errors());
        checkpoint.errorsByStatus().forEach((status, count) -> addStatus(changes, status, count));
        checkpoint.endpoints().forEach((name, totals) -> addEndpoint(changes, name, totals));
        checkpoint
                .instances()
                .forEach((instance, count) ->
                        changes.increment(instanceKey(instance), count, TrafficKeys.INSTANCE_KEPT));
        checkpoint
                .hourly()
                .forEach((start, count) -> changes.increment(TrafficKeys.hourly(start), count, TrafficKeys.HOUR_KEPT));
        List<String> args = new ArrayList<>(List.of(Writer.random()));
        args.addAll(changes.args());
        return RESTORE.run(redis, changes.keys(), args);
    }

    /** The word of this life of the counters; empty when they are lost. */
    Optional<String> life() {
        return text(TrafficKeys.LIFE.of());
    }

    /** The numbers at these keys, 0 where there is none. */
    List<Double> numbers(List<Key> keys) {
        return redis.readAll(keys, (commands, name) -> commands.get(name)).stream()
                .map(value -> value == null ? 0.0 : Double.parseDouble(value))
                .toList();
    }

    List<Map<String, String>> hashes(List<Key> keys) {
        return redis.readAll(keys, (commands, name) -> commands.hgetall(name));
    }

    /** The values of these fields, of those that are there. */
    List<String> fields(Map<Key, List<String>> wanted) {
        Map<String, String[]> byName = new HashMap<>();
        wanted.forEach((key, fields) -> byName.put(redis.keyspace().wholeName(key), fields.toArray(String[]::new)));
        return redis
                .readAll(
                        List.copyOf(wanted.keySet()),
                        (commands, name) -> commands.hmget(name, requireNonNull(byName.get(name))))
                .stream()
                .flatMap(List::stream)
                .filter(KeyValue::hasValue)
                .map(KeyValue::getValue)
                .toList();
    }

    /** Full names by segment. */
    Map<String, String> endpoints() {
        return redis.read(TrafficKeys.ENDPOINTS.of(), (commands, name) -> commands.hgetall(name));
    }

    boolean knows(String segment) {
        return redis.read(TrafficKeys.ENDPOINTS.of(), (commands, name) -> commands.hget(name, segment)) != null;
    }

    Set<String> statuses() {
        return redis.read(TrafficKeys.STATUSES.of(), (commands, name) -> commands.smembers(name));
    }

    /** All of the last day. */
    List<String> instances() {
        return redis.read(TrafficKeys.INSTANCES.of(), (commands, name) -> commands.zrange(name, 0, -1));
    }

    long livingInstances(long nowMs) {
        Range<Long> living = Range.from(Boundary.excluding(nowMs), Boundary.unbounded());
        return redis.read(TrafficKeys.INSTANCES.of(), (commands, name) -> commands.zcount(name, living));
    }

    /** Newest first, each as its time in ms and what was written. */
    List<Map.Entry<Long, String>> samples(String segment) {
        return redis
                .read(
                        TrafficKeys.RESPONSE_TIMES.of(segment),
                        (commands, name) -> commands.zrevrangeWithScores(name, 0, -1))
                .stream()
                .map(entry -> Map.entry((long) entry.getScore(), entry.getValue()))
                .toList();
    }

    private static List<Key> flushKeys(Writer writer) {
        return List.of(
                TrafficKeys.LIFE.of(),
                TrafficKeys.WRITER.of(writer.id()),
                TrafficKeys.ENDPOINTS.of(),
                TrafficKeys.INSTANCES.of(),
                TrafficKeys.CONNECTIONS.of(),
                TrafficKeys.SECONDS.of(),
                TrafficKeys.CURRENT.of(),
                TrafficKeys.MAX_CURRENT.of(),
                TrafficKeys.SPEED.of(),
                TrafficKeys.MAX_SPEED.of());
    }

    private static void add(Changes changes, Part.Whole whole, Writer writer) {
        changes.increment(TrafficKeys.TOTAL.of(), whole.requests());
        changes.increment(TrafficKeys.ACCEPTED.of(), whole.requests() - whole.refusals());
        changes.increment(
                TrafficKeys.ERRORS.of(),
                whole.errors().values().stream().mapToLong(Long::longValue).sum());
        whole.errors().forEach((status, count) -> addStatus(changes, status, count));
        changes.increment(instanceKey(writer.instance()), whole.requests(), TrafficKeys.INSTANCE_KEPT);
        whole.hours()
                .forEach((start, count) -> changes.increment(TrafficKeys.hourly(start), count, TrafficKeys.HOUR_KEPT));
        String field = writer.id() + " " + writer.instance();
        for (Blob blob : whole.slots()) {
            changes.put(
                    slotKey(TrafficKeys.FLEET, blob),
                    field,
                    blob.figures(),
                    blob.level().keptMs());
        }
    }

    private static void add(Changes changes, Part part, Part.Share share, Writer writer) {
        String segment = share.endpoint().segment();
        Delta delta = share.delta();
        BigDecimal sum = BigDecimal.valueOf(delta.sumMicros(), 3);
        addTotals(changes, segment, delta.requests(), delta.errors(), delta.requests(), sum);
        List<String> samples = new ArrayList<>(2 * delta.samples().size());
        for (Ring.Sample sample : delta.samples()) {
            samples.add(Long.toString(sample.atMs()));
            String ms =
                    BigDecimal.valueOf(sample.micros(), 3).stripTrailingZeros().toPlainString();
            samples.add(
                    ms + " " + sample.status() + " " + writer.id() + "-" + part.sequence() + "-" + samples.size() / 2);
        }
        changes.sample(TrafficKeys.RESPONSE_TIMES.of(segment), samples);
        String field = writer.id() + " " + writer.instance() + " " + segment;
        for (Blob blob : share.slots()) {
            changes.put(
                    slotKey(TrafficKeys.SLOT, blob),
                    field,
                    blob.figures(),
                    blob.level().keptMs());
        }
    }

    private static void addEndpoint(Changes changes, String name, EndpointTotals totals) {
        String segment = Names.segment(name);
        changes.put(TrafficKeys.ENDPOINTS.of(), segment, name, 0);
        BigDecimal sum = BigDecimal.valueOf(totals.sumMs());
        addTotals(changes, segment, totals.requests(), totals.errors(), totals.responses(), sum);
    }

    private static void addTotals(
            Changes changes, String segment, long requests, long errors, long responses, BigDecimal sumMs) {
        changes.increment(TrafficKeys.ENDPOINT_REQUESTS.of(segment), requests);
        changes.increment(TrafficKeys.ENDPOINT_ERRORS.of(segment), errors);
        changes.increment(TrafficKeys.RESPONSE_COUNT.of(segment), responses);
        changes.increment(TrafficKeys.RESPONSE_SUM.of(segment), sumMs);
    }

    private static void addStatus(Changes changes, int status, long count) {
        changes.increment(TrafficKeys.STATUS_ERRORS.of(Integer.toString(status)), count);
        changes.include(TrafficKeys.STATUSES.of(), Integer.toString(status));
    }

    private static Key instanceKey(String instance) {
        return TrafficKeys.INSTANCE_REQUESTS.of(Names.segment(instance));
    }

    private static Key slotKey(KeyFamily family, Blob blob) {
        return family.of(blob.level().toString(), Long.toString(blob.start()));
    }

    private Optional<String> text(Key key) {
        return Optional.ofNullable(redis.read(key, (commands, name) -> commands.get(name)));
    }

    private static Flushed flushed(Reply reply) {
        return switch (reply.word()) {
            case "LOST" -> new Flushed.Lost();
            case "FULL" -> new Flushed.Full(reply.list(0));
            default -> new Flushed.Counted(reply.text(0));
        };
    }
}
