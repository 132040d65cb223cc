package dev.hotstate.monitors;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines that look.lua answers for one monitor, in its order. */
record LiveRow(List<String> texts) {
    private static final int NEXT_RUN = 0;
    private static final int HELD = 1;
    private static final int STANDING = 2;
    private static final int RETRIES = 3;
    private static final int BEATS = 4;
    private static final int STATUS_CODE = 5;
    private static final int LATENCY = 6;
    private static final int CHECKED_AT = 7;
    private static final int LAST_OK_AT = 8;
    private static final int CERTIFICATE_DAYS = 9;
    private static final int PHASES = 10;
    private static final int STARTED_AT = 11;
    private static final int FAILURE_COUNT = 12;
    private static final int FIRST_FAILURE_AT = 13;
    private static final int LAST_FAILURE_AT = 14;
    private static final int INCIDENT_ID = 15;
    private static final int ERROR = 16;

    /** The last may have line breaks of its own. */
    static LiveRow parse(String row) {
        String[] texts = new String[ERROR + 1];
        int from = 0;
        for (int i = 0; i < ERROR; i++) {
            int end = row.indexOf('\n', from);
            texts[i] = row.substring(from, end);
            from = end + 1;
        }
        texts[ERROR] = row.substring(from);
        return new LiveRow(List.of(texts));
    }

    Live live(Monitor monitor, Instant now, boolean covered) {
        boolean checking = texts.get(HELD).equals("1");
        Instant checkedAt = instant(CHECKED_AT);
        String error = texts.get(ERROR);
        return new Live(
                state(monitor, now, covered),
                integer(STATUS_CODE),
                number(LATENCY),
                checkedAt,
                instant(LAST_OK_AT),
                checking || monitor.paused() ? null : instant(NEXT_RUN),
                number(FAILURE_COUNT, 0),
                instant(FIRST_FAILURE_AT),
                instant(LAST_FAILURE_AT),
                error.isEmpty() ? null : error,
                number(INCIDENT_ID),
                integer(CERTIFICATE_DAYS),
                PhasesText.parse(texts.get(PHASES)),
                instant(STARTED_AT),
                (int) number(RETRIES, 0),
                checking,
                Beats.parse(texts.get(BEATS), checkedAt));
    }

    /** The first that fits, in the order of {@link State}. */
    private State state(Monitor monitor, Instant now, boolean covered) {
        Standing standing = Standing.parse(texts.get(STANDING));
        Instant checkedAt = instant(CHECKED_AT);
        long failures = number(FAILURE_COUNT, 0);
        if (monitor.paused()) {
            return State.PAUSED;
        }
        if (covered) {
            return State.MAINTENANCE;
        }
        if (checkedAt == null) {
            // A status that expired is not one that never was; and of one that Redis does not know, nobody can tell.
            return standing.rank() == 0 || standing.rank() > 2 ? State.STALE : State.PENDING;
        }
        if (now.isAfter(checkedAt.plus(monitor.staleAfter(checkedAt)))) {
            return State.STALE;
        }
        if (failures >= monitor.rhythm().failureThreshold()) {
            return State.DOWN;
        }
        // What failed last and did not count was in maintenance then, or was counted by a Redis that is lost.
        boolean failing = number(RETRIES, 0) > 0 || !texts.get(ERROR).isEmpty();
        return failures > 0 || failing ? State.DEGRADED : State.UP;
    }

    private @Nullable Instant instant(int i) {
        Long ms = number(i);
        return ms == null ? null : Instant.ofEpochMilli(ms);
    }

    private @Nullable Integer integer(int i) {
        Long number = number(i);
        return number == null ? null : Math.toIntExact(number);
    }

    private long number(int i, long otherwise) {
        Long number = number(i);
        return number == null ? otherwise : number;
    }

    private @Nullable Long number(int i) {
        String text = texts.get(i);
        if (text.isEmpty()) {
            return null;
        }
        return text.indexOf('.') < 0 && text.indexOf('e') < 0 ? Long.parseLong(text) : (long) Double.parseDouble(text);
    }
}
