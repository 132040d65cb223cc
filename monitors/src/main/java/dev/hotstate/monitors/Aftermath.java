package dev.hotstate.monitors;

import dev.hotstate.monitors.check.Outcome;
import dev.hotstate.monitors.history.Result;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows an outcome that Redis has: history, news, the meters, and PostgreSQL where an incident began or ended. */
final class Aftermath {
    private static final Logger log = LoggerFactory.getLogger(Aftermath.class);

    private final Function<String, Optional<Definition>> definitions;
    private final Consumer<Result> history;
    private final Settler settler;
    private final StateNews news;
    private final CheckMeters meters;

    Aftermath(
            Function<String, Optional<Definition>> definitions,
            Consumer<Result> history,
            Settler settler,
            StateNews news,
            CheckMeters meters) {
        this.definitions = definitions;
        this.history = history;
        this.settler = settler;
        this.news = news;
        this.meters = meters;
    }

    void follow(Monitor monitor, Outcome outcome, Recorded recorded, boolean covered, @Nullable Duration lag) {
        meters.checked(monitor.type(), outcome, lag);
        // One that was deleted just now has no history any more.
        definitions
                .apply(monitor.id())
                .ifPresent(definition ->
                        history.accept(result(definition.historyName(), monitor, outcome, recorded, covered)));
        if (recorded.dropped()) {
            meters.dropped();
            log.warn("{} has too many outages that PostgreSQL was not told of; the oldest is dropped", monitor.id());
        }
        if (recorded.untold()) {
            settler.hurry(monitor.id());
        }
        if (recorded.state() != recorded.before()) {
            news.changed(monitor, outcome, recorded);
        }
    }

    void postponed() {
        meters.postponed();
    }

    private static Result result(String name, Monitor monitor, Outcome outcome, Recorded recorded, boolean covered) {
        return new Result(
                name,
                recorded.at(),
                monitor.staleAfter(recorded.at()),
                outcome.ok(),
                recorded.state() == State.DOWN,
                covered,
                outcome.latency().toMillis(),
                outcome.statusCode(),
                outcome.error());
    }
}
