package dev.hotstate.server.monitors;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the public status page shows.
 *
 * @param state of all together: the worst that matters; unknown when nothing is known of any
 * @param total how many monitors there are to show, of which some may be left out where they are very many
 * @param firstDay of the bars, which are a day each and end today
 * @param incidents null while PostgreSQL does not answer
 */
record StatusPage(
        String state,
        Instant updatedAt,
        int total,
        boolean more,
        LocalDate firstDay,
        List<Group> groups,
        @Nullable Troubles incidents) {

    /** @param name the first tag of its monitors; null for those that have none */
    record Group(@Nullable String name, List<Item> monitors) {}

    /**
     * @param uptime in percent by window; null where nothing is known
     * @param days uptime in percent, the oldest first; null where nothing is known
     */
    record Item(
            String id,
            String name,
            String state,
            @Nullable Instant checkedAt,
            Map<String, @Nullable Double> uptime,
            List<@Nullable Double> days) {}

    record Troubles(List<Trouble> open, List<Trouble> recent) {}

    /** @param acknowledged whether somebody is at work on it */
    record Trouble(
            String id,
            Subject monitor,
            Instant startedAt,
            @Nullable Instant endedAt,
            boolean acknowledged) {}

    record Subject(String id, String name) {}
}
