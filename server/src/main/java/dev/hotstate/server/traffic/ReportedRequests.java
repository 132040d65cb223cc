package dev.hotstate.server.traffic;

import dev.hotstate.server.http.Check;
import dev.hotstate.traffic.Recorder;
import dev.hotstate.traffic.Traffic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /traffic/requests}: what an application that cannot use the library has answered. */
record ReportedRequests(@Nullable String instance, @Nullable List<@Nullable Item> items) {
    private static final int MOST = 10_000;
    private static final int LONGEST_ROUTE = 200;
    private static final Duration AHEAD = Duration.ofSeconds(60);
    private static final Duration BACK = Duration.ofHours(24);
    private static final double MILLIS_AN_HOUR = 3_600_000;
    private static final Pattern METHOD = Pattern.compile("[A-Za-z]{1,16}");
    // A caller whose every item is wrong needs no ten thousand reasons.
    private static final int ITEMS_TOLD_OF = 100;

    record Item(
            @Nullable String method,
            @Nullable String route,
            @Nullable Integer status,
            @Nullable Double ms,
            @Nullable Instant at) {

        void check(Check check, String path, Instant now) {
            check.required(method, path + ".method")
                    .required(route, path + ".route")
                    .required(status, path + ".status")
                    .required(ms, path + ".ms");
            check.that(
                    method == null || method.isBlank() || METHOD.matcher(method).matches(),
                    path + ".method",
                    "must be a method such as GET, not \"" + shortened(method) + "\"");
            check.that(
                    route == null || route.isBlank() || isRoute(route),
                    path + ".route",
                    "must begin with / and have at most " + LONGEST_ROUTE
                            + " characters, none of them a control, not \"" + shortened(route) + "\"");
            check.that(
                    status == null || (status >= 100 && status <= 599),
                    path + ".status",
                    "must be 100 to 599, not " + status);
            // Written so that what is no number is refused too.
            check.that(
                    ms == null || (ms >= 0 && ms < Double.POSITIVE_INFINITY),
                    path + ".ms",
                    "must be 0 or more, not " + ms);
            check.that(at == null || !at.isAfter(now.plus(AHEAD)), path + ".at", "must not be over 60 s ahead");
            check.that(at == null || !at.isBefore(now.minus(BACK)), path + ".at", "must not be over 24 h back");
        }

        void recordTo(Recorder recorder, Instant now) {
            recorder.record(
                    Objects.requireNonNull(method).toUpperCase(Locale.ROOT),
                    Objects.requireNonNull(route),
                    Objects.requireNonNull(status),
                    took(Objects.requireNonNull(ms)),
                    at == null ? now : at);
        }

        private static boolean isRoute(String route) {
            return route.startsWith("/")
                    && route.length() <= LONGEST_ROUTE
                    && route.codePoints().allMatch(Item::canBeStored);
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

    /** Refuses the whole, or nothing of it. */
    void check(Instant now) {
        var check = new Check().required(instance, "instance").required(items, "items");
        check.id(instance == null || instance.isBlank() ? null : instance, "instance");
        check.that(items == null || items.size() <= MOST, "items", "must be at most " + MOST);
        check.refuse();
        var given = Objects.requireNonNull(items);
        for (int i = 0; i < given.size(); i++) {
            var item = given.get(i);
            var path = "items[" + i + "]";
            check.required(item, path);
            if (item != null) {
                item.check(check, path, now);
            }
            if (i % ITEMS_TOLD_OF == ITEMS_TOLD_OF - 1) {
                check.refuse();
            }
        }
        check.refuse();
    }

    /** Counts every item; only after {@link #check}. */
    int recordTo(Traffic traffic, Instant now) {
        var given = Objects.requireNonNull(items);
        var recorder = traffic.recorder(Objects.requireNonNull(instance));
        given.forEach(item -> Objects.requireNonNull(item).recordTo(recorder, now));
        return given.size();
    }
}
