package dev.hotstate.server.monitors;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import dev.hotstate.monitors.Monitors;
import dev.hotstate.monitors.Monitors.CheckedNow;
import dev.hotstate.monitors.NotAskedException;
import dev.hotstate.monitors.State;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import dev.hotstate.server.monitors.LiveShown.PhasesShown;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** How monitors are: the list, the counts, and a check at once. */
final class LiveCalls {
    private static final List<String> STATES =
            Arrays.stream(State.values()).map(State::word).toList();
    private static final List<String> SORTS = List.of("name", "state", "latency");

    private final Monitors monitors;
    private final OutboxGauge outbox;

    LiveCalls(Monitors monitors, OutboxGauge outbox) {
        this.monitors = monitors;
        this.outbox = outbox;
    }

    Answer list(Request request) {
        var page = request.page();
        var query = new Monitors.Query(
                request.queryChoice("state", STATES)
                        .map(word -> State.valueOf(word.toUpperCase(Locale.ROOT)))
                        .orElse(null),
                request.query("tag").orElse(null),
                request.query("q").orElse(null),
                request.queryChoice("sort", SORTS)
                        .map(word -> Monitors.Sort.valueOf(word.toUpperCase(Locale.ROOT)))
                        .orElse(Monitors.Sort.NAME),
                page.cursor().orElse(null),
                page.limit());
        var part = part(query);
        return Answer.ok(
                new Listing<>(part.items().stream().map(MonitorShown.Item::of).toList(), part.next()));
    }

    private Monitors.Part part(Monitors.Query query) {
        try {
            return monitors.list(query);
        } catch (IllegalArgumentException bad) {
            throw Problem.invalid("cursor", "must be the next_cursor of an earlier answer");
        }
    }

    Answer summary(Request request) {
        return Answer.ok(Summary.of(monitors.summary(), outbox.look()));
    }

    /** @param states each also as a field of its own name */
    private record Summary(
            long total,
            Map<String, Long> states,
            double checksPerSecond,
            double failuresPerSecond,
            Lag lagMs,
            OutboxGauge.@Nullable Shown outbox) {
        record Lag(double p50, double p99) {}

        static Summary of(Monitors.Summary summary, OutboxGauge.@Nullable Shown outbox) {
            Map<String, Long> states = new LinkedHashMap<>();
            for (State state : State.values()) {
                states.put(state.word(), summary.states().getOrDefault(state, 0L));
            }
            return new Summary(
                    summary.total(),
                    states,
                    summary.checksPerSecond(),
                    summary.failuresPerSecond(),
                    new Lag(summary.lagP50Ms(), summary.lagP99Ms()),
                    outbox);
        }

        @JsonAnyGetter
        Map<String, Long> each() {
            return states;
        }
    }

    Answer check(Request request) {
        try {
            return monitors.check(request.id("id"))
                    .map(checked -> Answer.ok(CheckShown.of(checked)))
                    .orElseThrow(() -> DefinitionCalls.unknown(request));
        } catch (CancellationException stopping) {
            throw Problem.unavailable("The server is stopping.", Duration.ofSeconds(1));
        } catch (NotAskedException push) {
            throw Problem.conflict(String.valueOf(push.getMessage()));
        }
    }

    /** @param recorded whether it counted; a check of a paused monitor does not */
    private record CheckShown(
            boolean ok,
            @Nullable Integer statusCode,
            long latencyMs,
            @Nullable String error,
            @Nullable Integer certificateDaysLeft,
            PhasesShown phases,
            boolean recorded,
            Instant checkedAt) {
        static CheckShown of(CheckedNow checked) {
            var outcome = checked.outcome();
            var phases = outcome.phases();
            return new CheckShown(
                    outcome.ok(),
                    outcome.statusCode(),
                    outcome.latency().toMillis(),
                    outcome.error(),
                    outcome.certificateDaysLeft(),
                    new PhasesShown(phases.dnsMs(), phases.connectMs(), phases.tlsMs(), phases.firstByteMs()),
                    checked.recorded(),
                    checked.at());
        }
    }
}
