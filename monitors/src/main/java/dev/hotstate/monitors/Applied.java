package dev.hotstate.monitors;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an apply has done, or would do: ids in their order.
 *
 * @param changes each field of an updated monitor that is another one now
 */
public record Applied(
        List<String> created, List<String> updated, List<String> deleted, int unchanged, List<Change> changes) {

    public Applied {
        created = created.stream().sorted().toList();
        updated = updated.stream().sorted().toList();
        deleted = deleted.stream().sorted().toList();
        changes = List.copyOf(changes);
    }

    public boolean isChange() {
        return !(created.isEmpty() && updated.isEmpty() && deleted.isEmpty());
    }

    /**
     * One field of one monitor. Secrets are masked, so the two may read the same.
     *
     * @param from null where it was not said
     * @param to null where it is said no more
     */
    public record Change(
            String id,
            String field,
            @Nullable String from,
            @Nullable String to) {}
}
