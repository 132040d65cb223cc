package dev.hotstate.server.traffic;

import dev.hotstate.server.http.Check;
import dev.hotstate.traffic.Traffic;
import dev.hotstate.traffic.TrafficOptions;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /traffic/requests}: what an application that cannot use the library has answered.
 *
 * @param instance who has; whoever does not say counts as {@code other}
 */
record ReportedRequests(@Nullable String instance, @Nullable List<@Nullable ReportedRequest> items) {
    private static final int MOST = 10_000;
    // 400 each: enough for a long route and a time.
    static final int MOST_BYTES = 400 * MOST;
    // A caller whose every item is wrong needs no ten thousand reasons.
    private static final int ITEMS_TOLD_OF = 100;

    @Override
    public String instance() {
        return instance == null ? "other" : instance;
    }

    /** Refuses the whole, or nothing of it. */
    void check(Instant now) {
        var check = new Check().required(items, "items");
        check.checked("", () -> TrafficOptions.requireInstance(instance()));
        check.that(items == null || items.size() <= MOST, "items", "must be at most " + MOST);
        check.refuse();
        var given = Objects.requireNonNull(items);
        for (int i = 0; i < given.size(); i++) {
            var item = given.get(i);
            if (item == null) {
                check.required(null, "items[" + i + "]");
            } else if (!item.isRight(now)) {
                item.check(check, "items[" + i + "]", now);
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
        var recorder = traffic.recorder(instance());
        given.forEach(item -> Objects.requireNonNull(item).recordTo(recorder, now));
        return given.size();
    }
}
