package dev.hotstate.core;

import dev.hotstate.core.Deployment.Connection;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events of all instances, by topic. Each topic is a bounded stream in Redis; each instance reads them once, on a
 * connection of its own, and hands them to its subscribers. Ids grow over all topics together, so one id says where a
 * subscriber was; one that asks for more than is kept gets a reset.
 */
public final class Events implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Events.class);

    /** The reader looks up from its streams this often at least, to see whether they are still the same. */
    private static final Duration BLOCK = Duration.ofSeconds(1);

    /** A reader that hears nothing for so long takes a new connection. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Duration RECONNECT = Duration.ofMillis(250);

    /** Events of one topic that are read or replayed in one go. */
    private static final int AT_ONCE = 1_000;

    static final Script<String> PUBLISH =
            Script.of(Events.class, "publish", List.of("clock", "topic"), reply -> reply.text(0));
    static final Script<Optional<List<String>>> REPLAY = Script.of(
            Events.class,
            "replay",
            List.of("clock", "topic…"),
            reply -> reply.word().equals("RESET") ? Optional.empty() : Optional.of(reply.list(0)));

    private final Redis redis;
    private final List<String> topics;
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final Thread reader;
    private volatile boolean closed;
    private volatile boolean reading;

    /** Where the reader is, and in which life of the streams. Its own; nobody else looks. */
    private @Nullable String born;

    private long position;

    /** @param topics all that there are; a subscriber chooses among them */
    public Events(Redis redis, List<String> topics) {
        this.redis = redis;
        this.topics = List.copyOf(topics);
        this.reader = Thread.ofVirtual().name("events-reader").start(this::read);
    }

    /** Tells every instance; answers the event's id. */
    public String publish(String topic, String verb, String json) {
        return PUBLISH.run(
                redis,
                List.of(CoreKeys.EVENTS_CLOCK.of(), CoreKeys.EVENTS.of(requireTopic(topic))),
                List.of(
                        redis.scriptTime(),
                        verb,
                        json,
                        Long.toString(CoreKeys.EVENTS_KEPT.toMillis()),
                        Integer.toString(CoreKeys.EVENTS_COUNT)));
    }

    /**
     * What happens in these topics from now on, or after an event that was seen before: all of it and each once, or a
     * reset. Where Redis is away for long, it begins with a reset when Redis is back.
     */
    public Subscription subscribe(Set<String> chosen, Optional<String> lastSeen) {
        chosen.forEach(this::requireTopic);
        awaitBeginning();
        Subscription subscription = new Subscription(chosen, lastSeen.isPresent(), subscriptions::remove);
        subscriptions.add(subscription);
        lastSeen.ifPresent(id -> resume(subscription, id, List.copyOf(chosen)));
        if (closed) {
            subscription.close();
        }
        return subscription;
    }

    public List<String> topics() {
        return topics;
    }

    /** Whether events come in: the reader is connected. */
    public boolean isReading() {
        return reading;
    }

    public int subscribers() {
        return subscriptions.size();
    }

    @Override
    public void close() {
        closed = true;
        reader.interrupt();
        subscriptions.forEach(Subscription::close);
        try {
            reader.join(PATIENCE);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** Before the reader knows where it begins, it could pass over an event that a new subscriber should get. */
    private void awaitBeginning() {
        try {
            if (!begun.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                log.debug("a subscription begins before Redis answers");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void resume(Subscription subscription, String id, List<String> chosen) {
        List<Event> reset = List.of(Event.reset());
        try {
            long seen = Event.order(id);
            subscription.resume(seen, after(seen, chosen).orElse(reset));
        } catch (HotstateException | NumberFormatException unknown) {
            subscription.resume(0, reset);
        }
    }

    /** The events after this one, in order; empty when some may be gone. */
    private Optional<List<Event>> after(long id, List<String> chosen) {
        List<Key> keys = new ArrayList<>();
        keys.add(CoreKeys.EVENTS_CLOCK.of());
        chosen.forEach(topic -> keys.add(CoreKeys.EVENTS.of(topic)));
        List<String> args = List.of(
                Long.toString(id),
                redis.scriptTime(),
                Long.toString(CoreKeys.EVENTS_KEPT.toMillis()),
                Integer.toString(AT_ONCE));
        return REPLAY.run(redis, keys, args).map(parts -> {
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < parts.size(); i += 4) {
                String topic = chosen.get(Integer.parseInt(parts.get(i)) - 1);
                events.add(Event.of(parts.get(i + 1), topic, parts.get(i + 2), parts.get(i + 3)));
            }
            events.sort(Event.IN_ORDER);
            return events;
        });
    }

    private void read() {
        while (!closed) {
            try (Connection connection = redis.dedicated()) {
                catchUp(connection);
                while (!closed) {
                    reading = true;
                    next(connection).forEach(this::deliver);
                    noticeLoss(look(connection));
                }
            } catch (RuntimeException failed) {
                log.debug("events are not read: {}", Causes.sentence(failed));
            }
            reading = false;
            try {
                Thread.sleep(RECONNECT);
            } catch (InterruptedException stopped) {
                return;
            }
        }
    }

    /** The first time, begins with what comes next; later, makes up for what happened while Redis was away. */
    private void catchUp(Connection connection) {
        Clock clock = look(connection);
        if (begun.getCount() > 0) {
            begin(clock);
            begun.countDown();
        } else if (!noticeLoss(clock) && position > 0) {
            after(position, topics).ifPresentOrElse(missed -> missed.forEach(this::deliver), () -> begin(clock));
        }
    }

    /** Streams that began anew (Redis was lost), or went back (an old copy), have lost events that nobody will see. */
    private boolean noticeLoss(Clock clock) {
        boolean anew = born != null && !born.equals(clock.born());
        boolean lost = anew || clock.last() < position;
        if (lost) {
            long readOfThisLife = position <= clock.last() ? position : 0;
            goOn(clock, anew ? Math.max(readOfThisLife, clock.beforeFirst()) : clock.last());
        } else {
            born = clock.born();
        }
        return lost;
    }

    /** Begins after the last event there is. */
    private void begin(Clock clock) {
        goOn(clock, clock.last());
    }

    /** Reads on from there; whoever subscribed before may have missed something. */
    private void goOn(Clock clock, long from) {
        born = clock.born();
        position = from;
        subscriptions.forEach(subscription -> subscription.offer(Event.reset()));
    }

    private Clock look(Connection connection) {
        String clock = redis.nameOf(CoreKeys.EVENTS_CLOCK.of());
        Map<String, String> fields = await(connection.commands().hgetall(clock));
        return new Clock(fields.get("born"), Long.parseLong(fields.getOrDefault("last", "0")));
    }

    private record Clock(@Nullable String born, long last) {
        long beforeFirst() {
            return born == null ? 0 : Long.parseLong(born) - 1;
        }
    }

    /**
     * What came since, in order. A topic that gave as many as fit has perhaps more: events of other topics after its last
     * one wait for the next time, or the one position for all topics would pass over it.
     */
    private List<Event> next(Connection connection) {
        XReadArgs.StreamOffset<String>[] offsets = offsets();
        List<Event> events =
                await(connection
                                .commands()
                                .xread(XReadArgs.Builder.block(BLOCK.toMillis()).count(AT_ONCE), offsets))
                        .stream()
                        .map(Events::event)
                        .sorted(Event.IN_ORDER)
                        .toList();
        Map<String, Integer> byTopic = new HashMap<>();
        for (int i = 0; i < events.size(); i++) {
            if (byTopic.merge(events.get(i).topic(), 1, Integer::sum) == AT_ONCE) {
                return events.subList(0, i + 1);
            }
        }
        return events;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private XReadArgs.StreamOffset<String>[] offsets() {
        return topics.stream()
                .map(topic -> XReadArgs.StreamOffset.from(redis.nameOf(CoreKeys.EVENTS.of(topic)), position + "-0"))
                .toArray(XReadArgs.StreamOffset[]::new);
    }

    private void deliver(Event event) {
        position = event.order();
        subscriptions.forEach(subscription -> subscription.offer(event));
    }

    private static <T> T await(RedisFuture<T> asked) {
        return Waiting.value(asked, PATIENCE)
                .orElseThrow(() -> new RedisUnavailableException("Redis did not answer the reader of events", null));
    }

    private static Event event(StreamMessage<String, String> message) {
        String name = message.getStream();
        String topic = name.substring(name.lastIndexOf(':') + 1);
        Map<String, String> body = message.getBody();
        return Event.of(message.getId(), topic, body.getOrDefault("verb", ""), body.getOrDefault("json", "{}"));
    }

    private String requireTopic(String topic) {
        if (!topics.contains(topic)) {
            throw new IllegalArgumentException("there is no topic \"" + topic + "\"; there are " + topics);
        }
        return topic;
    }
}
