package dev.hotstate.server.feature;

import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Redis;
import dev.hotstate.server.config.Settings;
import dev.hotstate.store.Database;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/**
 * What every feature stands on. It outlives them: a feature closes none of it.
 *
 * @param instance what this process calls itself, unlike any other
 */
public record Backbone(
        String instance,
        Settings settings,
        Redis redis,
        Database database,
        Incarnations incarnations,
        Events events,
        MeterRegistry meters,
        InstantSource clock) {}
