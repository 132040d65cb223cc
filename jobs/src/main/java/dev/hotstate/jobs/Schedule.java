package dev.hotstate.jobs;

import dev.hotstate.core.Cron;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.jobs.graph.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A job that comes again.
 *
 * @param id at most {@value #LONGEST_ID} characters, as its jobs are called after it and their time
 * @param job what is submitted each time, under another id
 */
public record Schedule(String id, Times times, Overlap overlap, CatchUp catchUp, boolean paused, JobSpec job) {
    public static final int LONGEST_ID = 19;

    /** When its jobs are made. */
    public sealed interface Times {
        Optional<Instant> next(Instant after);
    }

    public record Crons(Cron cron) implements Times {
        @Override
        public Optional<Instant> next(Instant after) {
            return cron.next(after);
        }
    }

    /** Counted from the beginning of 1970, so that it does not depend on who looks when. */
    public record Every(Duration interval) implements Times {
        public Every {
            new Flaws()
                    .range("interval", interval, Duration.ofSeconds(1), Duration.ofDays(365))
                    .refuse();
        }

        @Override
        public Optional<Instant> next(Instant after) {
            long span = interval.toMillis();
            return Optional.of(Instant.ofEpochMilli((Math.floorDiv(after.toEpochMilli(), span) + 1) * span));
        }
    }

    /** What happens when its last job has not ended. */
    public enum Overlap {
        /** This time is left out. */
        SKIP,
        /** It is made up for when the last one has ended. */
        QUEUE,
        /** The last one is cancelled. */
        REPLACE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What happens to times that nobody was there for. */
    public enum CatchUp {
        NONE,
        LAST,
        /** At most the last {@value Schedules#MOST_MISSED}. */
        ALL;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @throws InvalidDocumentException with what is wrong */
    public Schedule {
        new Flaws()
                .id("id", id)
                .that(id.length() <= LONGEST_ID, "id", "must be at most " + LONGEST_ID + " characters")
                .that(times.next(Instant.EPOCH).isPresent(), "cron", "never comes")
                .refuse();
    }
}
