package dev.hotstate.jobs;

import dev.hotstate.core.Partition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Permits of attempts that are over, as whoever called the script that advances jobs was told: given back, and those who
 * wait for a task of their queue look again. Giving one back twice changes nothing.
 */
final class FreedPermits {
    private final Permits permits;
    private final List<Partition> partitions;
    private final Wakeups wakeups;

    FreedPermits(Permits permits, List<Partition> partitions, Wakeups wakeups) {
        this.permits = permits;
        this.partitions = partitions;
        this.wakeups = wakeups;
    }

    /** @param named as scripts do: queue, a space, permit */
    void give(List<String> named) {
        if (!named.isEmpty()) {
            byQueue(named).forEach((queue, mine) -> {
                permits.give(queue, mine);
                isFreer(queue);
            });
        }
    }

    private void isFreer(String queue) {
        List<Lane> lanes = wakeups.awaited().stream()
                .filter(lane -> lane.queue().equals(queue))
                .toList();
        partitions.forEach(partition -> wakeups.tell(partition, lanes, false));
    }

    static Map<String, List<String>> byQueue(List<String> named) {
        Map<String, List<String>> permits = new LinkedHashMap<>();
        for (String name : named) {
            int space = name.indexOf(' ');
            permits.computeIfAbsent(name.substring(0, space), any -> new ArrayList<>())
                    .add(name.substring(space + 1));
        }
        return permits;
    }
}
