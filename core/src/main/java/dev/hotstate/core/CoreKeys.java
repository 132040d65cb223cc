package dev.hotstate.core;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The keys that core itself keeps, whatever features are on. */
public final class CoreKeys {
    /** How long events can be resumed from. */
    static final Duration EVENTS_KEPT = Duration.ofMinutes(5);

    /** How many events a topic keeps at most (give or take the node size of a stream, 100). */
    static final int EVENTS_COUNT = 10_000;

    public static final KeyFamily INCARNATION = KeyFamily.hash("{<partition>}:incarnation")
            .id("partition", 64)
            .owner("core")
            .field("pass", "number of the incarnation while it is ready, number:token while it is rebuilt")
            .field("beat", "grows with each look at the partition; one that went back tells of an old copy (us)")
            .field("until", "scripts are admitted until then, or the next beat (us)")
            .field("fence", "the count of the last claim's fence (us, never less than before)")
            .field("resumed", "when a beat last came after a silence (us)")
            .field("run_id", "the Redis process that holds the partition")
            .field("repl_id", "the replication history that it continues")
            .field("owner", "the installation, that is the PostgreSQL, whose partition it is")
            .field("cursor", "how far a rebuild has come")
            .kept("one small hash a partition, as long as the partition is configured")
            .typically(9, 36)
            .example("{m0}:incarnation")
            .why("tells a whole partition from an empty, old or half-built one, and holds its fence counter")
            .declared();

    static final KeyFamily EVENTS = KeyFamily.stream("{events}:stream:<topic>")
            .id("topic", 16)
            .owner("core")
            .field("verb", "what happened")
            .field("json", "the event's data")
            .expires(EVENTS_KEPT.multipliedBy(2))
            .typically(1_000, 150)
            .example("{events}:stream:system")
            .why("carries events to the dashboards of every instance; can be resumed within five minutes")
            .declared();

    static final KeyFamily EVENTS_CLOCK = KeyFamily.hash("{events}:clock")
            .owner("core")
            .field("last", "the last event's id over all topics (us)")
            .field("born", "the first event's id: another one tells readers that the streams were lost (us)")
            .kept("one small hash; if it went with idle streams, they would look as if they were lost")
            .typically(2, 20)
            .example("{events}:clock")
            .why("one order over all topics, so that one id says where a reader was")
            .declared();

    public static final Service SERVICE = new Service(
            "core",
            List.of(INCARNATION, EVENTS, EVENTS_CLOCK),
            List.of(
                    Incarnations.BEAT,
                    Incarnations.OPEN,
                    Incarnations.READY,
                    Rebuilder.MARK,
                    Wipe.WIPE,
                    Events.PUBLISH,
                    Events.REPLAY,
                    Agenda.PUT,
                    Agenda.CLAIM,
                    Agenda.TAKE,
                    Agenda.EXTEND,
                    Agenda.SETTLE,
                    Agenda.DROP,
                    Agenda.DEPTH),
            Set.of("scan", "xread", "hgetall", "memory|usage"));

    private CoreKeys() {}
}
