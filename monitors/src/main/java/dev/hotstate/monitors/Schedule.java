package dev.hotstate.monitors;

import dev.hotstate.core.Cron;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** When a maintenance window is open: from its beginning on, and at its end no more. */
public sealed interface Schedule permits Schedule.Once, Schedule.Recurring {
    boolean isOpen(Instant at);

    /** The first time after that instant at which it opens or closes; empty when it never does again. */
    Optional<Instant> nextChange(Instant after);

    record Once(Instant startsAt, Instant endsAt) implements Schedule {
        /** @throws InvalidDocumentException with what is wrong */
        public Once {
            var length = Duration.between(startsAt, endsAt);
            new Flaws()
                    .that(length.isPositive(), "ends_at", "must be after starts_at")
                    .that(length.compareTo(Monitor.MONTH) <= 0, "ends_at", "must be within 31 days of starts_at")
                    .refuse();
        }

        @Override
        public boolean isOpen(Instant at) {
            return !at.isBefore(startsAt) && at.isBefore(endsAt);
        }

        @Override
        public Optional<Instant> nextChange(Instant after) {
            return Stream.of(startsAt, endsAt)
                    .filter(change -> change.isAfter(after))
                    .findFirst();
        }
    }

    /** For a while after each time of a cron expression; where the next comes before the end, it goes on. */
    record Recurring(Cron cron, Duration duration) implements Schedule {
        /** @throws InvalidDocumentException with what is wrong */
        public Recurring {
            new Flaws()
                    .range("duration", duration, Monitor.SECOND, Monitor.MONTH)
                    .refuse();
        }

        @Override
        public boolean isOpen(Instant at) {
            return cron.next(at.minus(duration))
                    .filter(begin -> !begin.isAfter(at))
                    .isPresent();
        }

        /** May be a time at which nothing changes, where one occurrence begins before another ends. */
        @Override
        public Optional<Instant> nextChange(Instant after) {
            var begin = cron.next(after);
            var end = cron.next(after.minus(duration)).map(started -> started.plus(duration));
            return Stream.of(begin, end).flatMap(Optional::stream).min(Instant::compareTo);
        }
    }
}
