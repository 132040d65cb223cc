package dev.hotstate.traffic;

import dev.hotstate.core.Key;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import dev.hotstate.traffic.Checkpoint.EndpointTotals;
import dev.hotstate.traffic.Slots.Blob;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What is written to Redis: each part of a flush, and the totals of a checkpoint, in one script. */
final class RedisTraffic {
    /** The samples that an endpoint keeps. */
    static final int SAMPLES_KEPT = 1_000;

    /** The names of instances that are told apart within a day; those beyond are {@code other}. */
    static final int INSTANCES = 1_000;

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
                            "seen",
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

    /** What is retired already has no time when it was last seen. */
    static final Script<Long> RETIRE = Script.of(
                    RedisTraffic.class,
                    "retire",
                    List.of(
                            "endpoints",
                            "seen",
                            "other_requests",
                            "other_errors",
                            "other_responses",
                            "other_sum",
                            "counted…"),
                    reply -> reply.number(0))
            .repeatable();

    static final Script<List<String>> LIVING =
            Script.of(RedisTraffic.class, "living", List.of("instances"), reply -> reply.list(0));

    /** Asked again after a lost answer it may be silent: the next change is told. */
    static final Script<Boolean> NEWS = Script.of(
                    RedisTraffic.class,
                    "news",
                    List.of("total", "current", "speed", "told"),
                    reply -> reply.word().equals("NEWS"))
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
     * @param life that Redis told the writer last, empty when it never did
     * @param second of the sender's clock
     * @param leaves whether the writer ends its lease
     */
    record Sending(Writer writer, String life, long second, int connections, int peak, boolean leaves) {
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
                Integer.toString(INSTANCES),
                sending.life(),
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
        return changes.run(FLUSH, redis, args);
    }

    /**
     * Begins a new life in which no counter is below the checkpoint; false when the counters have another life than they
     * were found with.
     */
    boolean restore(Checkpoint checkpoint, String found, String known) {
        Changes changes = new Changes(List.of(TrafficKeys.LIFE.of()));
        raise(changes, TrafficKeys.TOTAL.of(), checkpoint.total());
        raise(changes, TrafficKeys.ACCEPTED.of(), checkpoint.accepted());
        raise(changes, TrafficKeys.ERRORS.of(), checkpoint.errors());
        raise(changes, TrafficKeys.MAX_CURRENT.of(), checkpoint.maxConnections());
        raise(changes, TrafficKeys.MAX_SPEED.of(), checkpoint.maxSpeed());
        checkpoint.errorsByStatus().forEach((status, count) -> {
            raise(changes, statusKey(status), count);
            changes.include(TrafficKeys.STATUSES.of(), Integer.toString(status));
        });
        String seen = Long.toString(checkpoint.at().toEpochMilli());
        checkpoint.endpoints().forEach((name, totals) -> {
            raise(changes, name, totals);
            // The place of other is its own: it is never given back.
            if (!name.equals(Endpoint.OTHER.name())) {
                changes.sample(TrafficKeys.SEEN.of(), List.of(seen, Names.segment(name)));
            }
        });
        checkpoint
                .instances()
                .forEach((instance, count) -> raise(changes, instanceKey(instance), count, TrafficKeys.INSTANCE_KEPT));
        checkpoint
                .hourly()
                .forEach((start, count) -> raise(changes, TrafficKeys.hourly(start), count, TrafficKeys.HOUR_KEPT));
        return changes.run(RESTORE, redis, List.of(redis.scriptTime(), found, known));
    }

    /** Gives the places of those endpoints back that nobody asked for in so long; at most 50 at once. */
    long retire(List<String> segments, Duration unseen) {
        List<Key> keys = new ArrayList<>(List.of(TrafficKeys.ENDPOINTS.of(), TrafficKeys.SEEN.of()));
        keys.addAll(totalKeys(Endpoint.OTHER.segment()));
        segments.forEach(segment -> {
            keys.addAll(totalKeys(segment));
            keys.add(TrafficKeys.RESPONSE_TIMES.of(segment));
        });
        List<String> args = new ArrayList<>(List.of(redis.scriptTime(), Long.toString(unseen.toMillis())));
        args.addAll(segments);
        return RETIRE.run(redis, keys, args);
    }

    boolean isNews() {
        return NEWS.run(
                redis,
                List.of(
                        TrafficKeys.TOTAL.of(),
                        TrafficKeys.CURRENT.of(),
                        TrafficKeys.SPEED.of(),
                        TrafficKeys.TOLD.of()),
                List.of(redis.scriptTime()));
    }

    private static List<Key> totalKeys(String segment) {
        return List.of(
                TrafficKeys.ENDPOINT_REQUESTS.of(segment),
                TrafficKeys.ENDPOINT_ERRORS.of(segment),
                TrafficKeys.RESPONSE_COUNT.of(segment),
                TrafficKeys.RESPONSE_SUM.of(segment));
    }

    private static List<Key> flushKeys(Writer writer) {
        return List.of(
                TrafficKeys.LIFE.of(),
                TrafficKeys.WRITER.of(writer.id()),
                TrafficKeys.ENDPOINTS.of(),
                TrafficKeys.SEEN.of(),
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
        changes.renew(instanceKey(writer.instance()), whole.requests(), TrafficKeys.INSTANCE_KEPT);
        whole.hours()
                .forEach((start, count) -> changes.increment(TrafficKeys.hourly(start), count, TrafficKeys.HOUR_KEPT));
        for (Blob blob : whole.slots()) {
            changes.put(
                    slotKey(TrafficKeys.FLEET, blob),
                    writer.id() + blob.generation() + " " + writer.instance(),
                    blob.figures(),
                    blob.level().keptMs());
        }
    }

    private static void add(Changes changes, Part part, Part.Share share, Writer writer) {
        String segment = share.endpoint().segment();
        Delta delta = share.delta();
        BigDecimal sum = BigDecimal.valueOf(delta.sumMicros(), 3);
        changes.increment(TrafficKeys.ENDPOINT_REQUESTS.of(segment), delta.requests());
        changes.increment(TrafficKeys.ENDPOINT_ERRORS.of(segment), delta.errors());
        changes.increment(TrafficKeys.RESPONSE_COUNT.of(segment), delta.requests());
        changes.increment(TrafficKeys.RESPONSE_SUM.of(segment), sum);
        List<String> samples = new ArrayList<>(2 * delta.samples().size());
        for (Sample sample : delta.samples()) {
            samples.add(Long.toString(sample.atMs()));
            String ms =
                    BigDecimal.valueOf(sample.micros(), 3).stripTrailingZeros().toPlainString();
            samples.add(
                    ms + " " + sample.status() + " " + writer.id() + "-" + part.sequence() + "-" + samples.size() / 2);
        }
        changes.sample(TrafficKeys.RESPONSE_TIMES.of(segment), samples);
        for (Blob blob : share.slots()) {
            changes.put(
                    slotKey(TrafficKeys.SLOT, blob),
                    writer.id() + blob.generation() + " " + writer.instance() + " " + segment,
                    blob.figures(),
                    blob.level().keptMs());
        }
    }

    private static void raise(Changes changes, String name, EndpointTotals totals) {
        String segment = Names.segment(name);
        changes.put(TrafficKeys.ENDPOINTS.of(), segment, name, 0);
        raise(changes, TrafficKeys.ENDPOINT_REQUESTS.of(segment), totals.requests());
        raise(changes, TrafficKeys.ENDPOINT_ERRORS.of(segment), totals.errors());
        raise(changes, TrafficKeys.RESPONSE_COUNT.of(segment), totals.responses());
        changes.raise(TrafficKeys.RESPONSE_SUM.of(segment), BigDecimal.valueOf(totals.sumMs()), Duration.ZERO);
    }

    private static void raise(Changes changes, Key counter, long least) {
        raise(changes, counter, least, Duration.ZERO);
    }

    private static void raise(Changes changes, Key counter, long least, Duration kept) {
        changes.raise(counter, BigDecimal.valueOf(least), kept);
    }

    private static void addStatus(Changes changes, int status, long count) {
        changes.increment(statusKey(status), count);
        changes.include(TrafficKeys.STATUSES.of(), Integer.toString(status));
    }

    private static Key statusKey(int status) {
        return TrafficKeys.STATUS_ERRORS.of(Integer.toString(status));
    }

    private static Key instanceKey(String instance) {
        return TrafficKeys.INSTANCE_REQUESTS.of(Names.segment(instance));
    }

    private static Key slotKey(KeyFamily family, Blob blob) {
        return family.of(blob.level().toString(), Long.toString(blob.start()));
    }

    private static Flushed flushed(Reply reply) {
        return switch (reply.word()) {
            case "LOST" -> new Flushed.Lost(reply.text(0));
            case "FULL" -> new Flushed.Full(reply.list(0));
            case "CROWDED" -> new Flushed.Crowded();
            default -> new Flushed.Counted(reply.text(0));
        };
    }
}
