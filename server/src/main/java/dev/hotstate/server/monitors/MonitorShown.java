package dev.hotstate.server.monitors;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.hotstate.monitors.Definition;
import dev.hotstate.monitors.Live;
import dev.hotstate.monitors.MonitorDocument;
import dev.hotstate.monitors.Monitors.Watched;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A monitor as it is answered: its definition without secrets, and how it is. */
record MonitorShown(
        @JsonUnwrapped MonitorDocument definition,
        @JsonUnwrapped LiveShown live,
        long version,
        boolean applied,
        Instant createdAt,
        Instant updatedAt,
        @Nullable String pingUrl) {

    /** The fields that an answer has beside the definition, and that say nothing when they are sent back. */
    static final Set<String> BESIDE = Stream.of(MonitorShown.class, LiveShown.class)
            .flatMap(type -> Arrays.stream(type.getRecordComponents()))
            .filter(part -> !part.isAnnotationPresent(JsonUnwrapped.class))
            .map(RecordComponent::getName)
            .map(name -> name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());

    /** @param live null when Redis does not answer */
    static MonitorShown of(Definition definition, @Nullable Live live, @Nullable String pingUrl) {
        return new MonitorShown(
                MonitorDocument.of(definition.monitor()).masked(),
                LiveShown.of(live),
                definition.version(),
                definition.applied(),
                definition.createdAt(),
                definition.updatedAt(),
                pingUrl);
    }

    /**
     * The same on a list.
     *
     * @param target null for a push monitor
     */
    record Item(
            String id,
            String name,
            String type,
            @Nullable String target,
            Duration interval,
            List<String> tags,
            @JsonUnwrapped LiveShown live) {
        static Item of(Watched watched) {
            var monitor = watched.definition().monitor();
            return new Item(
                    monitor.id(),
                    monitor.name(),
                    monitor.type().word(),
                    monitor.push() == null ? monitor.shownTarget() : null,
                    monitor.interval(),
                    monitor.tags(),
                    LiveShown.of(watched.live()));
        }
    }
}
