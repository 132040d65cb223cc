package dev.hotstate.drivers;

import dev.hotstate.core.Flaws;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of a driver beside where it is. */
public record Profile(
        @Nullable String name,
        @Nullable String vehicle,
        @Nullable Double rating,
        List<String> tags) {
    public static final Profile NONE = new Profile(null, null, null, List.of());

    private static final int LONGEST = 200;
    private static final double BEST_RATING = 5;
    private static final int MOST_TAGS = 20;

    /** @throws dev.hotstate.core.InvalidDocumentException naming each field that does not fit */
    public Profile {
        tags = List.copyOf(tags);
        Flaws flaws = new Flaws();
        if (name != null) {
            flaws.line("name", name, LONGEST);
        }
        if (vehicle != null) {
            flaws.line("vehicle", vehicle, LONGEST);
        }
        Ranges.between(flaws, "rating", rating, 0, BEST_RATING)
                .that(tags.size() <= MOST_TAGS, "tags", "must be at most " + MOST_TAGS + ", not " + tags.size())
                .that(Set.copyOf(tags).size() == tags.size(), "tags", "must each be there once");
        for (int i = 0; i < tags.size(); i++) {
            Ranges.tag(flaws, "tags[" + i + "]", tags.get(i));
        }
        flaws.refuse();
    }
}
