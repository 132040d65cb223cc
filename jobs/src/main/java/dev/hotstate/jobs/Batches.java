package dev.hotstate.jobs;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Items of a call, by partition and so many at a time; the answers go back to the items' places. */
final class Batches {
    private Batches() {}

    /** @param places of the items in the call */
    record Batch(Partition partition, List<Integer> places) {}

    static <T> List<Batch> of(Partitions partitions, List<T> items, Function<T, String> jobId, int most) {
        Map<Partition, List<Integer>> groups = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            groups.computeIfAbsent(partitions.of(jobId.apply(items.get(i))), any -> new ArrayList<>())
                    .add(i);
        }
        List<Batch> batches = new ArrayList<>();
        groups.forEach((partition, places) -> {
            for (int from = 0; from < places.size(); from += most) {
                batches.add(new Batch(partition, places.subList(from, Math.min(places.size(), from + most))));
            }
        });
        return batches;
    }
}
