package dev.hotstate.jobs.graph;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;

/**
 * A job's tasks and what they need, checked and compiled: each task is called by its place in the submission, and its
 * needs and dependents are slices of two arrays. Made in a time that grows with tasks and edges alone.
 */
public final class Graph {
    private final JobSpec job;
    private final Map<String, Integer> places;
    private final int[] needStarts;
    private final int[] needs;
    private final int[] dependentStarts;
    private final int[] dependents;
    private final int[] order;

    private Graph(JobSpec job, Map<String, Integer> places, int[] needStarts, int[] needs) {
        this.job = job;
        this.places = places;
        this.needStarts = needStarts;
        this.needs = needs;
        this.dependentStarts = new int[job.tasks().size() + 1];
        this.dependents = new int[needs.length];
        turnAround();
        this.order = inOrder();
    }

    /** @throws InvalidDocumentException with everything that is wrong with the job */
    public static Graph of(JobSpec job) {
        Flaws flaws = new Flaws();
        JobRules.check(job, flaws);
        Graph graph = compiled(job, flaws);
        flaws.refuse();
        return graph;
    }

    /** Of whatever can be understood; what cannot is noted. */
    static Graph compiled(JobSpec job, Flaws flaws) {
        Map<String, Integer> places = places(job, flaws);
        int[] starts = new int[job.tasks().size() + 1];
        int[] needs = new int
                [job.tasks().stream().mapToInt(task -> task.needs().size()).sum()];
        int used = 0;
        for (int task = 0; task < job.tasks().size(); task++) {
            starts[task] = used;
            used = addNeeds(job.tasks().get(task), task, places, needs, used, flaws);
        }
        starts[job.tasks().size()] = used;
        Graph graph = new Graph(job, places, starts, Arrays.copyOf(needs, used));
        graph.refuseCycle(flaws);
        return graph;
    }

    public JobSpec job() {
        return job;
    }

    public int size() {
        return job.tasks().size();
    }

    public TaskSpec task(int place) {
        return job.tasks().get(place);
    }

    public Optional<Integer> find(String id) {
        return Optional.ofNullable(places.get(id));
    }

    /** The places of the tasks that it needs. */
    public List<Integer> needs(int task) {
        return new Places(needs, needStarts[task], needStarts[task + 1]);
    }

    /** The places of the tasks that need it. */
    public List<Integer> dependents(int task) {
        return new Places(dependents, dependentStarts[task], dependentStarts[task + 1]);
    }

    public int edges() {
        return needs.length;
    }

    /** All places, each after those of the tasks that it needs. */
    public List<Integer> order() {
        return new Places(order, 0, order.length);
    }

    /** Of each place, how many hops lie between it and the beginning on the longest way. */
    public int[] layers() {
        int[] layers = new int[size()];
        for (int task : order) {
            for (int i = needStarts[task]; i < needStarts[task + 1]; i++) {
                layers[task] = Math.max(layers[task], layers[needs[i]] + 1);
            }
        }
        return layers;
    }

    private static Map<String, Integer> places(JobSpec job, Flaws flaws) {
        Map<String, Integer> places = HashMap.newHashMap(job.tasks().size());
        for (int task = 0; task < job.tasks().size(); task++) {
            String id = job.tasks().get(task).id();
            Integer first = places.putIfAbsent(id, task);
            if (first != null) {
                flaws.add(
                        new Flaw("tasks[" + task + "].id", "\"" + id + "\" is the id of tasks[" + first + "] already"));
            }
        }
        return places;
    }

    private static int addNeeds(
            TaskSpec task, int place, Map<String, Integer> places, int[] needs, int start, Flaws flaws) {
        int used = start;
        int at = 0;
        for (String id : task.needs()) {
            Integer need = places.get(id);
            String wrong = need == null
                    ? "there is no task \"" + JobRules.shortened(id) + "\""
                    : need == place ? "a task cannot need itself: " + id + " -> " + id : null;
            if (wrong == null && need != null) {
                needs[used++] = need;
            } else {
                flaws.add(new Flaw("tasks[" + place + "].needs[" + at + "]", String.valueOf(wrong)));
            }
            at++;
        }
        refuseTwice(task, place, needs, start, used, flaws);
        return used;
    }

    private static void refuseTwice(TaskSpec task, int place, int[] needs, int from, int to, Flaws flaws) {
        int[] sorted = Arrays.copyOfRange(needs, from, to);
        Arrays.sort(sorted);
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                flaws.add(new Flaw(
                        "tasks[" + place + "].needs",
                        "of \"" + JobRules.shortened(task.id()) + "\" name a task twice"));
                return;
            }
        }
    }

    private void turnAround() {
        for (int need : needs) {
            dependentStarts[need + 1]++;
        }
        for (int task = 0; task < size(); task++) {
            dependentStarts[task + 1] += dependentStarts[task];
        }
        int[] next = dependentStarts.clone();
        for (int task = 0; task < size(); task++) {
            for (int i = needStarts[task]; i < needStarts[task + 1]; i++) {
                dependents[next[needs[i]]++] = task;
            }
        }
    }

    /** What is in a cycle, or behind one, is left out. */
    private int[] inOrder() {
        int[] missing = new int[size()];
        int[] found = new int[size()];
        int end = 0;
        for (int task = 0; task < size(); task++) {
            missing[task] = needStarts[task + 1] - needStarts[task];
            if (missing[task] == 0) {
                found[end++] = task;
            }
        }
        for (int at = 0; at < end; at++) {
            for (int i = dependentStarts[found[at]]; i < dependentStarts[found[at] + 1]; i++) {
                if (--missing[dependents[i]] == 0) {
                    found[end++] = dependents[i];
                }
            }
        }
        return Arrays.copyOf(found, end);
    }

    private void refuseCycle(Flaws flaws) {
        if (order.length < size()) {
            int[] cycle = Cycle.among(this);
            flaws.addFirst(new Flaw("tasks[" + cycle[0] + "].needs", "make a cycle: " + Cycle.path(this, cycle)));
        }
    }

    private static final class Places extends AbstractList<Integer> implements RandomAccess {
        private final int[] all;
        private final int from;
        private final int to;

        Places(int[] all, int from, int to) {
            this.all = all;
            this.from = from;
            this.to = to;
        }

        @Override
        public Integer get(int index) {
            return all[from + Objects.checkIndex(index, size())];
        }

        @Override
        public int size() {
            return to - from;
        }
    }
}
