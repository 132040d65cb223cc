package dev.hotstate.jobs;

import dev.hotstate.core.Cron;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.jobs.graph.JobSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job that comes again.
 *
 * @param id its jobs are called after it and their time; one of more than {@value #WHOLE_IN_JOBS} characters is shortened
 *     there
 * @param job what is submitted each time, under another id
 */
public record Schedule(String id, Times times, Overlap overlap, CatchUp catchUp, boolean paused, JobSpec job) {
    private static final int WHOLE_IN_JOBS = 19;
    private static final int SHORTENED = 10;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

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

    /**
     * Counted from the beginning of 1970, so that it does not depend on who looks when.
     *
     * @param zone as it was given, and shown again: the times are the same in each
     */
    public record Every(Duration interval, @Nullable ZoneId zone) implements Times {
        public Every(Duration interval) {
            this(interval, null);
        }

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

    /** What the job of a time is called, whoever makes it. */
    String jobId(Instant time) {
        return called() + "-" + TIME.format(time);
    }

    /** What tells long ids apart is a hash: their beginnings are often the same. */
    private String called() {
        if (id.length() <= WHOLE_IN_JOBS) {
            return id;
        }
        return id.substring(0, SHORTENED) + "-" + HexFormat.of().formatHex(sha256(id), 0, 4);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** @throws InvalidDocumentException with what is wrong */
    public Schedule {
        new Flaws()
                .id("id", id)
                .that(times.next(Instant.EPOCH).isPresent(), "cron", "never comes")
                .refuse();
    }
}
