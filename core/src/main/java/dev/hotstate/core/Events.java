package dev.hotstate.core;

import dev.hotstate.core.Deployment.Connection;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private static final Duration BLOCK = Duration.ofSeconds(1);
    private static final int REPLAY_MOST = 1_000;

    static final Script<String> PUBLISH =
            Script.of(Events.class, "publish", List.of("clock", "topic"), reply -> reply.text(0));
    static final Script<Reply> REPLAY = Script.of(Events.class, "replay", List.of("clock", "topic…"), reply -> reply);

    private final Redis redis;
    private final List<String> topics;
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private final Thread reader;
    private volatile boolean closed;
    private volatile boolean reading;

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

    /** What happens in these topics from now on, or after an event that was seen before. */
    public Subscription subscribe(Set<String> chosen, Optional<String> lastSeen) {
        chosen.forEach(this::requireTopic);
        Subscription subscription = new Subscription(chosen, subscriptions::remove);
        subscriptions.add(subscription);
        lastSeen.ifPresent(id -> replay(subscription, List.copyOf(chosen), id));
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
    }

    private void replay(Subscription subscription, List<String> chosen, String id) {
        List<Key> keys = new ArrayList<>();
        keys.add(CoreKeys.EVENTS_CLOCK.of());
        chosen.forEach(topic -> keys.add(CoreKeys.EVENTS.of(topic)));
        try {
            Reply reply = REPLAY.run(redis, keys, List.of(micros(id), Integer.toString(REPLAY_MOST)));
            if (reply.word().equals("RESET")) {
                subscription.offer(Event.reset());
                return;
            }
            List<Event> missed = new ArrayList<>();
            List<String> parts = reply.list(0);
            for (int i = 0; i < parts.size(); i += 4) {
                String topic = chosen.get(Integer.parseInt(parts.get(i)) - 1);
                missed.add(event(parts.get(i + 1), topic, parts.get(i + 2), parts.get(i + 3)));
            }
            missed.sort(BY_ID);
            missed.forEach(subscription::offer);
        } catch (HotstateException | NumberFormatException unknown) {
            subscription.offer(Event.reset());
        }
    }

    private void read() {
        while (!closed) {
            try (Connection connection = redis.dedicated()) {
                follow(connection);
            } catch (RuntimeException failed) {
                log.debug("events are not read: {}", Causes.sentence(failed));
            }
            reading = false;
            try {
                Thread.sleep(BLOCK.dividedBy(4));
            } catch (InterruptedException stopped) {
                return;
            }
        }
    }

    private @Nullable String born;
    private String position = "0-0";

    private void follow(Connection connection) {
        Set<String> streams = new HashSet<>();
        topics.forEach(topic -> streams.add(redis.keyspace().wholeName(CoreKeys.EVENTS.of(topic))));
        while (!closed) {
            noticeNewStreams(connection);
            reading = true;
            @SuppressWarnings({"unchecked", "rawtypes"})
            XReadArgs.StreamOffset<String>[] offsets = streams.stream()
                    .map(stream -> XReadArgs.StreamOffset.from(stream, position))
                    .toArray(XReadArgs.StreamOffset[]::new);
            List<StreamMessage<String, String>> messages = await(connection
                    .commands()
                    .xread(XReadArgs.Builder.block(BLOCK.toMillis()).count(REPLAY_MOST), offsets));
            messages.stream().map(Events::event).sorted(BY_ID).forEach(this::deliver);
        }
    }

    /** Streams that began anew (Redis was lost) have lost events that nobody will see. */
    private void noticeNewStreams(Connection connection) {
        String clock = redis.keyspace().wholeName(CoreKeys.EVENTS_CLOCK.of());
        Map<String, String> now = await(connection.commands().hgetall(clock));
        String began = now.get("born");
        boolean first = born == null && position.equals("0-0");
        if (first) {
            position = now.getOrDefault("last", "0") + "-0";
        } else if (began != null && !began.equals(born)) {
            position = "0-0";
            subscriptions.forEach(subscription -> subscription.offer(Event.reset()));
        }
        born = began;
    }

    private void deliver(Event event) {
        position = event.id().orElse(position);
        subscriptions.forEach(subscription -> subscription.offer(event));
    }

    private static <T> T await(RedisFuture<T> asked) {
        return Waiting.value(asked, BLOCK.multipliedBy(3))
                .orElseThrow(() -> new RedisUnavailableException("Redis did not answer the reader of events", null));
    }

    private static Event event(StreamMessage<String, String> message) {
        String name = message.getStream();
        String topic = name.substring(name.lastIndexOf(':') + 1);
        Map<String, String> body = message.getBody();
        return event(message.getId(), topic, body.getOrDefault("verb", ""), body.getOrDefault("json", "{}"));
    }

    private static Event event(String id, String topic, String verb, String json) {
        return new Event(Optional.of(id), topic + "." + verb, json);
    }

    private static final Comparator<Event> BY_ID = Comparator.comparingLong(Event::order);

    private static String micros(String id) {
        int dash = id.indexOf('-');
        return Long.toString(Long.parseLong(dash < 0 ? id : id.substring(0, dash)));
    }

    private String requireTopic(String topic) {
        if (!topics.contains(topic)) {
            throw new IllegalArgumentException("there is no topic \"" + topic + "\"; there are " + topics);
        }
        return topic;
    }
}
