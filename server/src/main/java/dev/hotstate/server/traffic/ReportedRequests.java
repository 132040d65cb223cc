package dev.hotstate.server.traffic;

import dev.hotstate.server.http.Check;
import dev.hotstate.traffic.Traffic;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /traffic/requests}: what an application that cannot use the library has answered. */
record ReportedRequests(@Nullable String instance, @Nullable List<@Nullable ReportedRequest> items) {
    private static final int MOST = 10_000;
    // A caller whose every item is wrong needs no ten thousand reasons.
    private static final int ITEMS_TOLD_OF = 100;

    /** Refuses the whole, or nothing of it. */
    void check(Instant now) {
        var check = new Check().required(instance, "instance").required(items, "items");
        check.id(instance == null || instance.isBlank() ? null : instance, "instance");
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
        var recorder = traffic.recorder(Objects.requireNonNull(instance));
        given.forEach(item -> Objects.requireNonNull(item).recordTo(recorder, now));
        return given.size();
    }
}
