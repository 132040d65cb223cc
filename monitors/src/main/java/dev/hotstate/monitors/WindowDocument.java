package dev.hotstate.monitors;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hotstate.core.Cron;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A maintenance window as it is written: once, with {@code starts_at} and either {@code ends_at} or {@code duration}; or
 * again and again, with {@code cron}, {@code duration} and {@code time_zone}.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WindowDocument(
        @Nullable String id,
        @Nullable String title,
        @Nullable Instant startsAt,
        @Nullable Instant endsAt,
        @Nullable String cron,
        @Nullable Duration duration,
        @Nullable String timeZone,
        @Nullable List<@Nullable String> ids,
        @Nullable List<@Nullable String> tags) {
    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

    private static final String USUAL_TITLE = "Maintenance";

    public static WindowDocument of(Window window) {
        return switch (window.schedule()) {
            case Schedule.Once once -> of(window, once.startsAt(), once.endsAt(), null, null);
            case Schedule.Recurring again -> of(window, null, null, again.cron(), again.duration());
        };
    }

    /** @throws InvalidDocumentException with everything that is wrong */
    public Window toWindow() {
        var flaws = new Flaws(MonitorDocument.FIELDS);
        var monitors = flaws.present("ids", this.ids);
        var tags = flaws.present("tags", this.tags);
        var schedule = schedule(flaws);
        var window = flaws.value(
                "id",
                () -> new Window(
                        id == null ? MonitorIds.random(title) : id,
                        requireNonNullElse(title, USUAL_TITLE),
                        requireNonNullElse(schedule, new Schedule.Once(Instant.EPOCH, Instant.EPOCH.plusSeconds(1))),
                        monitors,
                        tags));
        flaws.refuse();
        return Objects.requireNonNull(window);
    }

    private @Nullable Schedule schedule(Flaws flaws) {
        boolean again = cron != null;
        flaws.that(again || startsAt != null, "starts_at", "is required, or a cron in its place");
        flaws.that(!again || startsAt == null, "starts_at", "must not be given beside a cron");
        flaws.that(!again || endsAt == null, "ends_at", "must not be given beside a cron");
        flaws.that(again || timeZone == null, "time_zone", "needs a cron");
        flaws.that(again || endsAt != null || duration != null, "ends_at", "is required, or a duration in its place");
        flaws.that(endsAt == null || duration == null, "duration", "must not be given beside ends_at");
        flaws.that(!again || duration != null, "duration", "is required with a cron");
        flaws.that(isUsual(startsAt), "starts_at", "must be from 1970 to 9999");
        flaws.that(isUsual(endsAt), "ends_at", "must be from 1970 to 9999");
        return flaws.none() ? flaws.value("cron", again ? this::recurring : this::once) : null;
    }

    /** Java knows more years than PostgreSQL does. */
    private static boolean isUsual(@Nullable Instant time) {
        return time == null || (time.isAfter(Instant.EPOCH) && time.isBefore(LAST));
    }

    private Schedule recurring() {
        var times = Cron.of(Objects.requireNonNull(cron), requireNonNullElse(timeZone, "UTC"));
        return new Schedule.Recurring(times, Objects.requireNonNull(duration));
    }

    private Schedule once() {
        var begin = Objects.requireNonNull(startsAt);
        return new Schedule.Once(begin, endsAt != null ? endsAt : begin.plus(Objects.requireNonNull(duration)));
    }

    private static WindowDocument of(
            Window window,
            @Nullable Instant startsAt,
            @Nullable Instant endsAt,
            @Nullable Cron cron,
            @Nullable Duration duration) {
        return new WindowDocument(
                window.id(),
                window.title(),
                startsAt,
                endsAt,
                cron == null ? null : cron.expression(),
                duration,
                cron == null ? null : cron.zone().getId(),
                new ArrayList<@Nullable String>(window.monitors()),
                new ArrayList<@Nullable String>(window.tags()));
    }
}
