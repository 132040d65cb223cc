package dev.hotstate.server.traffic;

import dev.hotstate.server.http.Check;
import dev.hotstate.traffic.Recorder;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One item of a report: a request as its application has answered it. */
record ReportedRequest(
        @Nullable String method,
        @Nullable String route,
        @Nullable Integer status,
        @Nullable Double ms,
        @Nullable Instant at) {
    private static final int LONGEST_ROUTE = 200;
    private static final Duration AHEAD = Duration.ofSeconds(60);
    private static final Duration BACK = Duration.ofHours(24);
    private static final double MILLIS_AN_HOUR = 3_600_000;
    private static final Pattern METHOD = Pattern.compile("[A-Za-z]{1,16}");

    boolean isRight(Instant now) {
        return isMethod(method) && isRoute(route) && isStatus(status) && isTime(ms) && isLately(at, now);
    }

    /** Says all that is wrong with it. */
    void check(Check check, String path, Instant now) {
        check.required(method, path + ".method")
                .required(route, path + ".route")
                .required(status, path + ".status")
                .required(ms, path + ".ms");
        check.that(
                method == null || method.isBlank() || isMethod(method),
                path + ".method",
                "must be a method such as GET, not \"" + shortened(method) + "\"");
        check.that(
                route == null || route.isBlank() || isRoute(route),
                path + ".route",
                "must begin with / and have at most " + LONGEST_ROUTE + " characters, none of them a control, not \""
                        + shortened(route) + "\"");
        check.that(status == null || isStatus(status), path + ".status", "must be 100 to 599, not " + status);
        check.that(ms == null || isTime(ms), path + ".ms", "must be 0 or more, not " + ms);
        check.that(isLately(at, now), path + ".at", "must be at most 60 s ahead and 24 h back, not " + at);
    }

    void recordTo(Recorder recorder, Instant now) {
        recorder.record(
                Objects.requireNonNull(method).toUpperCase(Locale.ROOT),
                Objects.requireNonNull(route),
                Objects.requireNonNull(status),
                took(Objects.requireNonNull(ms)),
                at == null ? now : at);
    }

    private static boolean isMethod(@Nullable String method) {
        return method != null && METHOD.matcher(method).matches();
    }

    private static boolean isRoute(@Nullable String route) {
        return route != null
                && route.startsWith("/")
                && route.length() <= LONGEST_ROUTE
                && route.codePoints().allMatch(ReportedRequest::canBeStored);
    }

    private static boolean isStatus(@Nullable Integer status) {
        return status != null && status >= 100 && status <= 599;
    }

    /** Written so that what is no number is none. */
    private static boolean isTime(@Nullable Double ms) {
        return ms != null && ms >= 0 && ms < Double.POSITIVE_INFINITY;
    }

    private static boolean isLately(@Nullable Instant at, Instant now) {
        return at == null || (!at.isAfter(now.plus(AHEAD)) && !at.isBefore(now.minus(BACK)));
    }

    /** No control, and no half of a surrogate pair. */
    private static boolean canBeStored(int character) {
        return !Character.isISOControl(character) && Character.getType(character) != Character.SURROGATE;
    }

    private static Duration took(double ms) {
        return Duration.ofNanos(Math.round(Math.min(ms, MILLIS_AN_HOUR) * 1_000_000));
    }

    private static @Nullable String shortened(@Nullable String text) {
        return text == null || text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
