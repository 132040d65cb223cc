package dev.hotstate.server.limits;

import dev.hotstate.limits.Call;
import dev.hotstate.limits.Check;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What {@code /limits/check} and {@code /limits/refund} are sent. */
record CallBody(
        @Nullable String tag, @Nullable Long cost, @Nullable List<@Nullable Item> checks) {

    record Item(@Nullable String rule, @Nullable String subject) {}

    /** @throws dev.hotstate.server.http.Problem 400 naming every field that is wrong */
    Call checked() {
        var check = new dev.hotstate.server.http.Check();
        var asked = checks == null ? List.<@Nullable Item>of() : checks;
        check.given(checks, "checks");
        check.that(
                checks == null || !asked.isEmpty() && asked.size() <= Call.MAX_CHECKS,
                "checks",
                "must be 1 to " + Call.MAX_CHECKS + ", not " + asked.size());
        check.that(cost == null || cost >= 1, "cost", "must be at least 1, not " + cost);
        // More than are allowed are not looked at one by one.
        check.refuse();
        var each = checked(asked, check);
        check.refuse();
        var call = check.checked("", () -> tag == null ? Call.of(each) : new Call(tag, 1, each));
        check.refuse();
        return Objects.requireNonNull(call).costing(cost == null ? 1 : cost);
    }

    private static List<Check> checked(List<@Nullable Item> items, dev.hotstate.server.http.Check check) {
        var seen = new HashSet<Check>();
        var all = new ArrayList<Check>();
        for (int i = 0; i < items.size(); i++) {
            var item = Objects.requireNonNullElse(items.get(i), new Item(null, null));
            var place = "checks[" + i + "].";
            check.given(item.rule, place + "rule").given(item.subject, place + "subject");
            if (item.rule != null && item.subject != null) {
                var one = check.checked(place, () -> new Check(item.rule, item.subject));
                check.that(one == null || seen.add(one), "checks[" + i + "]", "is given twice");
                if (one != null) {
                    all.add(one);
                }
            }
        }
        return all;
    }
}
