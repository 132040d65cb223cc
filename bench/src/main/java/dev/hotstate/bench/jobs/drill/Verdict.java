package dev.hotstate.bench.jobs.drill;

import static java.util.stream.Collectors.groupingBy;

import dev.hotstate.bench.jobs.drill.HttpHands.Told;
import dev.hotstate.bench.jobs.drill.Traces.Attempt;
import dev.hotstate.bench.jobs.drill.Traces.Effect;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What must have become of the jobs, beside what PostgreSQL has: each job has ended; each task as its rule and its fate have
 * it, by how those ended that it needs; each effect is there once if its task has succeeded, and else not; no handler began
 * before what it waits for; no end counted that was told after a later claim.
 */
record Verdict(List<String> faults) {

    static Verdict of(List<Plan> plans, Books books, List<Told> told) {
        Judge judge = new Judge(books);
        plans.forEach(judge::judge);
        told.forEach(judge::judge);
        return new Verdict(judge.faults);
    }

    private static final class Judge {
        private final List<String> faults = new ArrayList<>();
        private final Books books;
        private final Map<String, List<Effect>> effects;
        private final Map<String, Instant> firstBegan = new HashMap<>();

        Judge(Books books) {
            this.books = books;
            this.effects = books.effects().stream()
                    .collect(groupingBy(
                            effect -> name(effect.who().job(), effect.who().task())));
            for (Attempt attempt : books.attempts()) {
                firstBegan.merge(
                        name(attempt.who().job(), attempt.who().task()),
                        attempt.began(),
                        (one, other) -> one.isBefore(other) ? one : other);
            }
        }

        void judge(Plan plan) {
            String id = plan.job().id();
            Books.Job job = books.jobs().get(id);
            if (job == null) {
                faults.add("lost: the job " + id + " was accepted");
            } else if (!job.status().isTerminal()) {
                faults.add("not ended: the job " + id + " is " + job.status() + ", its tasks "
                        + books.tasks().getOrDefault(id, Map.of()));
            } else {
                judgeTasks(plan, books.tasks().getOrDefault(id, Map.of()), job);
            }
        }

        void judge(Told end) {
            String what = "the end of " + name(end.job(), end.task()) + " under " + end.fence();
            if (end.isLate() && end.counted()) {
                faults.add("late: " + what + " counted, though it was claimed under " + end.later() + " before");
            } else if (!end.counted() && end.status() != 409) {
                faults.add("refused otherwise: " + what + " was answered " + end.status());
            }
        }

        private void judgeTasks(Plan plan, Map<String, Books.Task> tasks, Books.Job job) {
            String id = plan.job().id();
            boolean failed = false;
            for (TaskSpec task : plan.job().tasks()) {
                Books.Task is = tasks.get(task.id());
                String name = name(id, task.id());
                List<Effect> its = effects.getOrDefault(name, List.of());
                if (is == null) {
                    faults.add("unknown: " + name + " has no state, though its job is " + job.status());
                    continue;
                }
                failed |= is.status() == TaskStatus.FAILED;
                TaskStatus must = expected(task, plan.fate(task.id()), tasks, its);
                if (is.status() != must) {
                    faults.add("wrong: " + name + " is " + is + " and must be " + must + ", "
                            + plan.fate(task.id()) + ", " + task.trigger() + " of " + needs(task, tasks)
                            + ", effects " + its);
                }
                judgeEffects(name, task, is.status(), its);
                its.forEach(effect -> judgeOrder(id, task, effect, tasks));
            }
            JobStatus must = failed ? JobStatus.FAILED : JobStatus.SUCCEEDED;
            if (job.status() != must) {
                faults.add("wrong: the job " + id + " is " + job.status() + " and must be " + must);
            }
            if (job.ended() != plan.job().tasks().size()) {
                faults.add("miscounted: of the job " + id + " " + job.ended() + " tasks have ended, and not "
                        + plan.job().tasks().size());
            }
        }

        private static TaskStatus expected(
                TaskSpec task, Fate fate, Map<String, Books.Task> tasks, List<Effect> effects) {
            if (!mayBegin(task, tasks)) {
                return TaskStatus.SKIPPED;
            }
            return switch (fate) {
                case SURE -> TaskStatus.SUCCEEDED;
                case DOOMED -> TaskStatus.FAILED;
                case OPEN -> effects.isEmpty() ? TaskStatus.FAILED : TaskStatus.SUCCEEDED;
            };
        }

        /** By the meaning of the rules, once all have ended. */
        private static boolean mayBegin(TaskSpec task, Map<String, Books.Task> tasks) {
            List<TaskStatus> needs = task.needs().stream()
                    .map(tasks::get)
                    .map(need -> need == null ? TaskStatus.WAITING : need.status())
                    .toList();
            return switch (task.trigger()) {
                case ALL_SUCCESS -> needs.stream().allMatch(TaskStatus.SUCCEEDED::equals);
                case ALL_DONE -> true;
                case ONE_SUCCESS -> needs.contains(TaskStatus.SUCCEEDED);
                case ONE_FAILED -> needs.contains(TaskStatus.FAILED);
                case NONE_FAILED -> !needs.contains(TaskStatus.FAILED);
            };
        }

        private void judgeEffects(String name, TaskSpec task, TaskStatus status, List<Effect> its) {
            int must = Plan.hasEffect(task) && status == TaskStatus.SUCCEEDED ? 1 : 0;
            if (its.size() != must) {
                faults.add("effects: " + its.size() + " of " + name + ", which is " + status + ": " + its);
            }
            its.stream()
                    .filter(effect -> effect.flaw() != null)
                    .forEach(effect -> faults.add("given: to " + name + " " + effect.flaw()));
        }

        /** Whatever it waits for had ended before; of one that failed it is only known when it first began, if at all. */
        private void judgeOrder(String job, TaskSpec task, Effect effect, Map<String, Books.Task> tasks) {
            List<String> before = new ArrayList<>();
            List<String> after = new ArrayList<>();
            for (String need : task.needs()) {
                Books.Task is = tasks.get(need);
                if (is != null && counts(task, is.status())) {
                    (isBefore(name(job, need), is.status(), effect.began()) ? before : after).add(need);
                }
            }
            boolean one = switch (task.trigger()) {
                case ONE_SUCCESS, ONE_FAILED -> true;
                case ALL_SUCCESS, ALL_DONE, NONE_FAILED -> false;
            };
            if (one ? before.isEmpty() && !after.isEmpty() : !after.isEmpty()) {
                faults.add("order: " + effect + " began before the end of " + after + ", " + task.trigger());
            }
        }

        private static boolean counts(TaskSpec task, TaskStatus need) {
            return switch (task.trigger()) {
                case ONE_SUCCESS -> need == TaskStatus.SUCCEEDED;
                case ONE_FAILED -> need == TaskStatus.FAILED;
                case ALL_SUCCESS, ALL_DONE, NONE_FAILED -> true;
            };
        }

        private boolean isBefore(String need, TaskStatus status, Instant began) {
            if (status == TaskStatus.SUCCEEDED) {
                return effects.getOrDefault(need, List.of()).stream()
                        .noneMatch(effect -> effect.wrote().isAfter(began));
            }
            Instant first = firstBegan.get(need);
            return first == null || !first.isAfter(began);
        }

        private static String needs(TaskSpec task, Map<String, Books.Task> tasks) {
            List<String> needs = new ArrayList<>();
            for (String need : task.needs()) {
                Books.Task is = tasks.get(need);
                needs.add(need + " " + (is == null ? "unknown" : is.status()));
            }
            return needs.toString();
        }

        private static String name(String job, String task) {
            return job + ":" + task;
        }
    }
}
