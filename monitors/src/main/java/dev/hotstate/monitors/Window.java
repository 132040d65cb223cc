package dev.hotstate.monitors;

import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import java.util.List;

/**
 * A time in which checks go on and nobody is alerted.
 *
 * @param monitors ids of those it is for, beside those that have one of the tags; with neither it is for all
 */
public record Window(String id, String title, Schedule schedule, List<String> monitors, List<String> tags) {
    private static final int MOST_MONITORS = 1_000;

    /** @throws InvalidDocumentException with everything that is wrong */
    public Window {
        monitors = monitors.stream().distinct().toList();
        tags = tags.stream().distinct().toList();
        new Flaws()
                .id("id", id)
                .line("title", title, 200)
                .ids("ids", monitors, MOST_MONITORS)
                .lines("tags", tags, 20, 64)
                .refuse();
    }

    /** Whether it is for that monitor, whenever it is open. */
    public boolean concerns(Monitor monitor) {
        return monitors.isEmpty() && tags.isEmpty()
                || monitors.contains(monitor.id())
                || monitor.tags().stream().anyMatch(tags::contains);
    }
}
