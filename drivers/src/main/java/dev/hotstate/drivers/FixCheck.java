package dev.hotstate.drivers;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import java.time.Instant;
import java.util.Set;

/** What fits of what callers say; each objection names its field. */
final class FixCheck {
    static final Flaw FUTURE = new Flaw("at", "must not be more than 60s ahead of now");

    private static final Set<String> WORDS = Set.of("available", "summary", "locations", "map");
    private static final double FASTEST = 2_000;

    private FixCheck() {}

    static Flaws of(Fix fix) {
        Flaws flaws = new Flaws();
        id(flaws, fix.id());
        Places.check(flaws, fix.lat(), fix.lon());
        if (fix.heading() != null) {
            Places.within(flaws, "heading", fix.heading(), 0, 360);
        }
        if (fix.speed() != null) {
            Places.within(flaws, "speed", fix.speed(), 0, FASTEST);
        }
        if (fix.seq() != null) {
            flaws.that(
                    fix.seq() >= 0 && fix.seq() <= RedisFixes.MOST_SEQ,
                    "seq",
                    "must be from 0 to " + RedisFixes.MOST_SEQ + ", not " + fix.seq());
        }
        if (fix.at() != null) {
            flaws.that(fix.at().isAfter(Instant.EPOCH), "at", "must be after 1970, not " + fix.at());
        }
        return flaws;
    }

    /** An id that is a path of the API could not be asked for. */
    static void id(Flaws flaws, String id) {
        flaws.id("id", id);
        flaws.that(!WORDS.contains(id), "id", "must not be a word of the API, as \"" + id + "\" is");
    }
}
