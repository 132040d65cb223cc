package dev.hotstate.jobs;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it stands.
 *
 * @param nextAt null while it is paused
 * @param lastAt the last time that was seen to, whether a job was made or not
 * @param lastJob the last job that was made
 */
public record ScheduleView(
        Schedule schedule,
        @Nullable Instant nextAt,
        @Nullable Instant lastAt,
        @Nullable String lastJob,
        Instant createdAt,
        Instant updatedAt) {}
