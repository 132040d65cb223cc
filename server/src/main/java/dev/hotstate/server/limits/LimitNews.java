package dev.hotstate.server.limits;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.hotstate.core.Event;
import dev.hotstate.core.Events;
import dev.hotstate.core.HotstateException;
import dev.hotstate.limits.Check;
import dev.hotstate.server.http.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What instances tell each other in the topic {@code limits}: a subject was reset, so nobody may go on denying it from
 * memory; the rules changed, so look now. An instance that missed it (Redis was away) finds out by itself: a remembered
 * denial is asked for again after a second, and the rules are looked at twice a second.
 */
final class LimitNews implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LimitNews.class);
    private static final String TOPIC = "limits";
    private static final TypeReference<Reset> RESET = new TypeReference<>() {};

    private final String instance;
    private final Events events;
    private final Limiters limiters;
    private final LiveRules rules;
    private final Thread listener;
    private volatile boolean closed;

    /** The data of {@code limits.reset}; whose own it is has forgotten already, and may have asked anew since. */
    record Reset(String tag, String rule, String subject, String by) {}

    /** The data of {@code limits.rules_changed}. */
    record RulesChanged(long version) {}

    private LimitNews(String instance, Events events, Limiters limiters, LiveRules rules) {
        this.instance = instance;
        this.events = events;
        this.limiters = limiters;
        this.rules = rules;
        this.listener = Thread.ofVirtual().name("limits-news").unstarted(this::listen);
    }

    static LimitNews listen(String instance, Events events, Limiters limiters, LiveRules rules) {
        var news = new LimitNews(instance, events, limiters, rules);
        news.listener.start();
        return news;
    }

    void tellReset(String tag, Check check) {
        tell("reset", new Reset(tag, check.rule(), check.subject(), instance));
    }

    void tellRules(long version) {
        tell("rules_changed", new RulesChanged(version));
    }

    @Override
    public void close() {
        closed = true;
        listener.interrupt();
        try {
            listener.join(Duration.ofSeconds(1));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(String verb, Object data) {
        try {
            events.publish(TOPIC, verb, Json.text(data));
        } catch (HotstateException away) {
            LOG.debug("nobody is told of {}: {}", data, away.getMessage());
        }
    }

    private void listen() {
        try (var subscription = events.subscribe(Set.of(TOPIC), Optional.empty())) {
            while (!closed && subscription.isOpen()) {
                subscription.next(Duration.ofMinutes(1)).ifPresent(this::hear);
            }
        } catch (InterruptedException stopped) {
            // The end.
        }
    }

    private void hear(Event event) {
        try {
            switch (event.name()) {
                case "limits.reset" -> {
                    var reset = Json.read(event.json(), RESET);
                    if (!reset.by().equals(instance)) {
                        var check = new Check(reset.rule(), reset.subject());
                        limiters.of(check).forget(reset.tag(), check);
                    }
                }
                case "limits.rules_changed", Event.RESET -> rules.lookSoon();
                default -> LOG.trace("{} is for others", event.name());
            }
        } catch (RuntimeException broken) {
            LOG.warn("An event of limits was not understood: {}", event, broken);
        }
    }
}
