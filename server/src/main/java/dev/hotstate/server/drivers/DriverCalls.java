package dev.hotstate.server.drivers;

import dev.hotstate.drivers.Drivers;
import dev.hotstate.drivers.Profile;
import dev.hotstate.drivers.Status;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Ids;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Page;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who drivers are and what they do. */
final class DriverCalls {
    private static final List<String> STATUSES =
            Arrays.stream(Status.values()).map(Enum::name).toList();
    private static final String NOT_ONE = "must be one of " + String.join(", ", STATUSES);
    /** What an answer has beside the profile: it can be sent back as it came. */
    private static final Set<String> ANSWERED = Set.of(
            "id",
            "status",
            "region",
            "lat",
            "lon",
            "heading",
            "speed",
            "seq",
            "at",
            "seen_at",
            "since",
            "reserved_until");

    private static final int LONGEST_SEARCH = 100;

    private final Drivers drivers;

    DriverCalls(Drivers drivers) {
        this.drivers = drivers;
    }

    Answer find(Request request) {
        return drivers.find(request.id("id"))
                .map(driver -> Answer.ok(DriverShown.of(driver)))
                .orElseThrow(() -> Problem.notFound("There is no driver \"" + request.path("id") + "\"."));
    }

    Answer describe(Request request) {
        String id = request.id("id");
        Profile profile = request.document(ProfileBody.class, ANSWERED).profile();
        return Answer.ok(DriverShown.of(drivers.describe(id, profile)));
    }

    Answer mark(Request request) {
        String id = request.id("id");
        Status status = request.body(StatusBody.class).checked();
        return Answer.ok(DriverShown.of(drivers.mark(id, status)));
    }

    /** By id; a cursor is the last id before. */
    Answer list(Request request) {
        var page = request.page();
        var found = drivers.list(status(request), search(request), cursor(page), page.limit());
        return Answer.ok(
                new Listing<>(found.items().stream().map(DriverShown::of).toList(), found.next()));
    }

    private static @Nullable Status status(Request request) {
        String asked = request.query("status").orElse("").toUpperCase(Locale.ROOT);
        if (asked.isEmpty()) {
            return null;
        }
        if (!STATUSES.contains(asked)) {
            throw Problem.invalid("status", NOT_ONE);
        }
        return Status.valueOf(asked);
    }

    private static @Nullable String search(Request request) {
        String q = request.query("q").orElse("").strip();
        if (q.length() > LONGEST_SEARCH) {
            throw Problem.invalid("q", "must be at most " + LONGEST_SEARCH + " characters");
        }
        return q.isEmpty() ? null : q;
    }

    private static @Nullable String cursor(Page page) {
        return page.cursor()
                .map(cursor -> {
                    if (Ids.objection(cursor).isPresent()) {
                        throw Problem.invalid("cursor", "must be the next_cursor of an earlier answer");
                    }
                    return cursor;
                })
                .orElse(null);
    }

    Answer summary(Request request) {
        return Answer.ok(SummaryShown.of(drivers.summary()));
    }

    private record StatusBody(@Nullable String status) {
        Status checked() {
            new Check()
                    .required(status, "status")
                    .that(status == null || status.isBlank() || STATUSES.contains(status), "status", NOT_ONE)
                    .refuse();
            return Status.valueOf(Objects.requireNonNull(status));
        }
    }

    private record ProfileBody(
            @Nullable String name,
            @Nullable String vehicle,
            @Nullable Double rating,
            @Nullable List<@Nullable String> tags) {
        Profile profile() {
            var given = Objects.requireNonNullElse(tags, List.<@Nullable String>of());
            var check = new Check();
            for (int i = 0; i < given.size(); i++) {
                check.given(given.get(i), "tags[" + i + "]");
            }
            check.refuse();
            return new Profile(
                    name,
                    vehicle,
                    rating,
                    given.stream().map(Objects::requireNonNull).toList());
        }
    }
}
