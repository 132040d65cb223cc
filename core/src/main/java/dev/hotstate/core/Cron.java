package dev.hotstate.core;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/**
 * Times that come again, in the five fields of Unix, by the clocks of a zone.
 *
 * <p>When those clocks are changed it does as cron does. A time of day (<code>30 2 * * *</code>) comes once: it is
 * made up for at the change when the clocks skip it, and its repetition is left out when they are put back. What comes
 * by the minute or by the hour (a star in either field) follows the time that really passes: nothing is made up for, and
 * the repeated hour has its own.
 */
public final class Cron {
    private static final CronParser UNIX = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
    private static final int LONGEST = 200;
    // A leap day may be eight years away; what does not come within these steps does not come.
    private static final int STEPS = 1_000;

    private final String expression;
    private final ZoneId zone;
    private final ExecutionTime times;
    private final boolean flowing;

    private Cron(String expression, ZoneId zone, ExecutionTime times) {
        this.expression = expression;
        this.zone = zone;
        this.times = times;
        String[] fields = expression.split(" ");
        this.flowing = fields[0].startsWith("*") || fields[1].startsWith("*");
    }

    /** @throws IllegalArgumentException saying what is wrong, beginning with {@code cron} or {@code time_zone} */
    public static Cron of(String expression, String timeZone) {
        return of(expression, zone(timeZone));
    }

    /** @throws IllegalArgumentException saying what is wrong, beginning with {@code cron} */
    public static Cron of(String expression, ZoneId zone) {
        String plain = expression.trim().replaceAll("\\s+", " ");
        if (plain.length() > LONGEST || plain.split(" ").length != 5) {
            throw new IllegalArgumentException("cron must be five fields (minute, hour, day of the month, month, day of"
                    + " the week) such as \"30 2 * * 1-5\", at most " + LONGEST + " characters long");
        }
        var cron = new Cron(plain, zone, parsed(plain));
        if (cron.next(Instant.EPOCH).isEmpty()) {
            throw new IllegalArgumentException("cron \"" + plain + "\" is a time that never comes");
        }
        return cron;
    }

    /** The first time after that instant; empty if there is none. */
    public Optional<Instant> next(Instant after) {
        return flowing ? nextFlowing(after) : nextOfDay(after);
    }

    public String expression() {
        return expression;
    }

    public ZoneId zone() {
        return zone;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cron cron && expression.equals(cron.expression) && zone.equals(cron.zone);
    }

    @Override
    public int hashCode() {
        return 31 * expression.hashCode() + zone.hashCode();
    }

    @Override
    public String toString() {
        return expression + " " + zone;
    }

    /** @throws IllegalArgumentException saying what is wrong, beginning with {@code time_zone} */
    public static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(
                    "time_zone must be the name of one, such as \"UTC\" or \"Europe/Berlin\", not \"" + name + "\"",
                    unknown);
        }
    }

    private static ExecutionTime parsed(String expression) {
        try {
            return ExecutionTime.forCron(UNIX.parse(expression).validate());
        } catch (IllegalArgumentException | ArithmeticException refused) {
            throw new IllegalArgumentException(
                    "cron \"" + expression + "\" is not understood: " + reason(refused), refused);
        }
    }

    private static String reason(Throwable refused) {
        String message = String.valueOf(refused.getMessage());
        return refused.getCause() == null || refused.getCause() == refused
                ? message.replaceFirst("^Failed to parse '[^']*'\\.? ?", "")
                : reason(refused.getCause());
    }

    /**
     * Each local time is taken where it first is, or where the clocks jump over it. Later local times are never at earlier
     * instants then, so the first that comes after the given one is the next.
     */
    private Optional<Instant> nextOfDay(Instant after) {
        LocalDateTime local = LocalDateTime.ofInstant(after, zone);
        for (int step = 0; step < STEPS; step++) {
            Optional<LocalDateTime> next = nextLocal(local);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            local = next.get();
            Instant instant = firstInstant(local);
            if (instant.isAfter(after)) {
                return Optional.of(instant);
            }
        }
        return Optional.empty();
    }

    private Instant firstInstant(LocalDateTime local) {
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        return change != null && change.isGap()
                ? change.getInstant()
                : local.toInstant(zone.getRules().getValidOffsets(local).getFirst());
    }

    /** From one change of the clocks to the next the offset is the same, and local times are as good as instants. */
    private Optional<Instant> nextFlowing(Instant after) {
        Instant from = after;
        for (int step = 0; step < STEPS; step++) {
            ZoneOffset offset = zone.getRules().getOffset(from);
            Optional<Instant> next =
                    nextLocal(LocalDateTime.ofInstant(from, offset)).map(local -> local.toInstant(offset));
            ZoneOffsetTransition change = zone.getRules().nextTransition(from);
            if (next.isEmpty() || change == null || next.get().isBefore(change.getInstant())) {
                return next;
            }
            // The change's own instant is the first of the new offset, and may be a time too.
            LocalDateTime begin = change.getDateTimeAfter();
            Optional<LocalDateTime> atOnce = nextLocal(begin.minusSeconds(1)).filter(begin::equals);
            if (atOnce.isPresent()) {
                return Optional.of(change.getInstant());
            }
            from = change.getInstant();
        }
        return Optional.empty();
    }

    /** In UTC, which has no changes of its own. */
    private Optional<LocalDateTime> nextLocal(LocalDateTime after) {
        return times.nextExecution(after.atZone(ZoneOffset.UTC)).map(time -> time.toLocalDateTime());
    }
}
