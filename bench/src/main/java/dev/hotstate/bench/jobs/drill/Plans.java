package dev.hotstate.bench.jobs.drill;

import dev.hotstate.jobs.graph.JobBuilder;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.TaskBuilder;
import dev.hotstate.jobs.graph.Trigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Jobs at random: chains, fans out and in, layers, every rule, tasks for both kinds of workers. */
final class Plans {
    /** No fewer than calamities befall a task in the longest run. */
    private static final int RETRIES_OF_THE_SURE = 60;

    /** Of each attempt: far more than it takes, also on a busy machine. */
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final int MOST_MILLIS = 120;

    private final long seed;
    private final Random chance;
    private int count;

    Plans(long seed) {
        this.seed = seed;
        this.chance = new Random(seed);
    }

    synchronized Plan next() {
        String id = "d" + seed + "-" + count++;
        JobBuilder job = JobSpec.named("Drill " + id).id(id).createdBy("drill");
        if (chance.nextInt(8) == 0) {
            job.delay(Duration.ofMillis(chance.nextInt(3_000)));
        }
        Map<String, Fate> fates = new HashMap<>();
        // Now and then one with more dependents than a call tells of.
        boolean wide = chance.nextInt(40) == 0;
        int tasks = wide ? 300 : 2 + chance.nextInt(16);
        List<String> before = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            String task = "t" + i;
            List<String> needs = wide ? wideNeeds(i, tasks, before) : needs(before);
            Fate fate = wide && i == 0 ? Fate.SURE : fate();
            fates.put(task, fate);
            job.task(task, described -> describe(described, fate, needs, wide));
            before.add(task);
        }
        return new Plan(job.build(), fates);
    }

    /** One, and then all of them, and then one again. */
    private static List<String> wideNeeds(int task, int tasks, List<String> before) {
        if (task == 0) {
            return List.of();
        }
        return task < tasks - 1 ? List.of(before.getFirst()) : List.copyOf(before.subList(1, before.size()));
    }

    private List<String> needs(List<String> before) {
        List<String> needs = new ArrayList<>(before);
        Collections.shuffle(needs, chance);
        // Of the last ones rather, so that there are long chains too.
        int most = Math.min(before.size(), chance.nextInt(4) == 0 ? before.size() : 3);
        List<String> chosen = needs.subList(0, most == 0 ? 0 : chance.nextInt(most + 1));
        if (chosen.isEmpty() && !before.isEmpty() && chance.nextInt(3) > 0) {
            chosen = List.of(before.getLast());
        }
        return List.copyOf(chosen);
    }

    private Fate fate() {
        int draw = chance.nextInt(10);
        return draw < 7 ? Fate.SURE : draw < 8 ? Fate.DOOMED : Fate.OPEN;
    }

    private void describe(TaskBuilder task, Fate fate, List<String> needs, boolean wide) {
        Trigger trigger = needs.isEmpty() || chance.nextBoolean()
                ? Trigger.ALL_SUCCESS
                : Trigger.values()[chance.nextInt(Trigger.values().length)];
        // What is done over HTTP leaves no trace by which an open end could be judged.
        boolean byHand = !wide && fate != Fate.OPEN && chance.nextInt(4) == 0;
        if (byHand) {
            task.queue(Plan.HANDS);
        } else {
            task.handler(Plan.HANDLER);
        }
        task.needs(needs)
                .trigger(trigger)
                .timeout(TIMEOUT)
                .backoff(Duration.ofMillis(10 + chance.nextInt(30)))
                .maxRetries(fate == Fate.SURE ? RETRIES_OF_THE_SURE : chance.nextInt(3))
                .priority(chance.nextInt(10))
                .input(new Instruction(
                        fate,
                        seed,
                        wide ? 1 : chance.nextInt(MOST_MILLIS),
                        trigger == Trigger.ALL_SUCCESS ? needs : List.of()));
    }
}
