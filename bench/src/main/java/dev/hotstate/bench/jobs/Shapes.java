package dev.hotstate.bench.jobs;

import dev.hotstate.jobs.graph.JobBuilder;
import dev.hotstate.jobs.graph.JobSpec;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** The graphs that are measured. Each is another job, however often it is asked for. */
final class Shapes {
    private Shapes() {}

    /** A parent that waits for so many children. */
    static JobSpec flow(int children) {
        List<String> names =
                IntStream.range(0, children).mapToObj(i -> "child-" + i).toList();
        JobBuilder job = job("Flow");
        names.forEach(name -> job.task(name, task -> task.handler(JobSite.HANDLER)));
        job.task("parent", task -> task.handler(JobSite.HANDLER).needs(names.toArray(String[]::new)));
        return job.build();
    }

    /** Each waits for the one before. */
    static JobSpec chain(int length) {
        JobBuilder job = job("Chain");
        for (int i = 0; i < length; i++) {
            String before = "task-" + (i - 1);
            boolean first = i == 0;
            job.task("task-" + i, task -> {
                task.handler(JobSite.HANDLER);
                if (!first) {
                    task.needs(before);
                }
            });
        }
        return job.build();
    }

    /** Layers in which each task waits for two of the layer before. */
    static JobSpec layers(int layers, int width) {
        JobBuilder job = job("Layers");
        for (int layer = 0; layer < layers; layer++) {
            for (int i = 0; i < width; i++) {
                String one = name(layer - 1, i);
                String other = name(layer - 1, (i + 1) % width);
                boolean first = layer == 0;
                job.task(name(layer, i), task -> {
                    task.handler(JobSite.HANDLER);
                    if (!first) {
                        task.needs(one, other);
                    }
                });
            }
        }
        return job.build();
    }

    private static String name(int layer, int place) {
        return "t-" + layer + "-" + place;
    }

    private static JobBuilder job(String name) {
        return JobSpec.named(name).id(UUID.randomUUID().toString()).createdBy("bench");
    }
}
