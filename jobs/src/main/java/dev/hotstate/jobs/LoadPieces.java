package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job cut into pieces that Redis takes without holding up others: each of so many tasks and bytes at most. */
final class LoadPieces {
    /** Tasks a call, so that Redis is held for some two milliseconds. */
    static final int TASKS = 500;

    /** Dependents that one field holds, and that are told in one step. */
    static final int PART = 250;

    /** Further parts of dependents a call: what a script can pass on to one command is bounded. */
    private static final int PARTS = 1_000;

    private static final int BYTES = 1 << 20;
    private static final long FAILED = 1L << 17;
    private static final long OTHER = 1L << 34;

    private final JobHead head;
    private final List<TaskCell> cells;
    private final Runs runs;
    private final Given given;
    private final List<Part> parts = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();

    /** How a task's {@code run} is written for whoever does it; null where it is for an external worker. */
    interface Runs {
        @Nullable
        String json(TaskSpec task);
    }

    /** What some tasks have given, by their ids; of a task that has given nothing, nothing. */
    interface Given {
        Map<String, String> results(List<String> tasks);
    }

    /** From one place of the tasks and of the parts to another. */
    private record Piece(int fromCell, int toCell, int fromPart, int toPart) {}

    /** Dependents of a task after its first ones, or those that begin the job. */
    private record Part(String field, String ids) {}

    LoadPieces(JobHead head, List<TaskCell> cells, Runs runs) {
        this(head, cells, runs, any -> Map.of());
    }

    /** @param given looks up what some tasks have given, a piece at a time: all of it may be more than memory holds */
    LoadPieces(JobHead head, List<TaskCell> cells, Runs runs, Given given) {
        this.given = given;
        this.head = head;
        this.cells = cells;
        this.runs = runs;
        for (TaskCell cell : cells) {
            addParts(cell.spec().id(), cell.dependents(), 1);
        }
        cut();
        if (pieces.size() > 1 || head.startAt() != null) {
            addParts(
                    "",
                    cells.stream()
                            .filter(cell -> cell.status() == TaskStatus.READY)
                            .map(cell -> cell.spec().id())
                            .toList(),
                    0);
            pieces.clear();
            cut();
        }
    }

    int count() {
        return pieces.size();
    }

    /** What follows the pass and the time among the arguments. */
    List<String> arguments(int index) {
        Piece piece = pieces.get(index);
        boolean last = index == pieces.size() - 1;
        List<String> args = new ArrayList<>();
        addHead(args, last, last && index == 0);
        List<TaskCell> mine = cells.subList(piece.fromCell, piece.toCell);
        Map<List<String>, Integer> shapes = new LinkedHashMap<>();
        List<Integer> shapeOf = new ArrayList<>(mine.size());
        for (TaskCell cell : mine) {
            shapeOf.add(shapes.computeIfAbsent(shape(cell.spec()), any -> shapes.size() + 1));
        }
        args.add(Integer.toString(shapes.size()));
        args.add(Integer.toString(mine.size()));
        shapes.keySet().forEach(args::addAll);
        List<String> lacking = mine.stream()
                .filter(TaskCell::lacksResult)
                .map(cell -> cell.spec().id())
                .toList();
        Map<String, String> found = lacking.isEmpty() ? Map.of() : given.results(lacking);
        for (int i = 0; i < mine.size(); i++) {
            TaskCell cell = mine.get(i);
            addTask(args, cell, shapeOf.get(i));
            String result = cell.result() == null ? found.get(cell.spec().id()) : cell.result();
            args.add(result == null ? "" : result);
        }
        for (Part part : parts.subList(piece.fromPart, piece.toPart)) {
            args.add(part.field);
            args.add(part.ids);
        }
        return args;
    }

    private void addParts(String task, List<String> ids, int first) {
        for (int n = first; n * PART < ids.size(); n++) {
            List<String> some = ids.subList(n * PART, Math.min(ids.size(), (n + 1) * PART));
            parts.add(new Part(n == 0 ? task : task + "," + n, String.join(",", some)));
        }
    }

    private void cut() {
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < cells.size(); i++) {
            long size = size(cells.get(i));
            if (i > from && (i - from == TASKS || bytes + size > BYTES)) {
                pieces.add(new Piece(from, i, 0, 0));
                from = i;
                bytes = 0;
            }
            bytes += size;
        }
        int fromPart = 0;
        for (int i = 0; i < parts.size(); i++) {
            long size = parts.get(i).ids.length();
            if (bytes + size > BYTES || i - fromPart == PARTS) {
                pieces.add(new Piece(from, cells.size(), fromPart, i));
                from = cells.size();
                fromPart = i;
                bytes = 0;
            }
            bytes += size;
        }
        pieces.add(new Piece(from, cells.size(), fromPart, parts.size()));
    }

    /** What it has to run counts for each task: where several have the same it is sent once, but stands with each. */
    private static long size(TaskCell cell) {
        TaskSpec spec = cell.spec();
        return 100L
                + length(spec.input())
                + Graphs.weight(spec.run())
                + cell.resultLength()
                + 20L * spec.needs().size();
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private void addHead(List<String> args, boolean opens, boolean whole) {
        args.add(head.id());
        args.add(Integer.toString(head.epoch()));
        args.add(opens ? "1" : "0");
        args.add(whole ? "1" : "0");
        args.add(head.startAt() == null ? "" : Long.toString(head.startAt().toEpochMilli()));
        args.add(head.status().name());
        args.add(head.name());
        args.add(head.createdBy());
        args.add(Long.toString(head.createdAt().toEpochMilli()));
        args.add(Integer.toString(head.tasks()));
        args.add(Integer.toString(head.open()));
        args.add(Integer.toString(head.succeeded()));
        args.add(Integer.toString(head.failed()));
        args.add(Integer.toString(head.skipped()));
        args.add(head.ruled() ? "1" : "0");
    }

    private List<String> shape(TaskSpec spec) {
        String run = runs.json(spec);
        return List.of(
                Integer.toString(spec.maxRetries()),
                Lanes.name(new Lane(spec.queue(), spec.run().lane())),
                Integer.toString(spec.priority()),
                Long.toString(spec.timeout().toMillis()),
                Long.toString(spec.backoff().toMillis()),
                spec.trigger().word(),
                run == null ? "" : run);
    }

    private static void addTask(List<String> args, TaskCell cell, int shape) {
        TaskSpec spec = cell.spec();
        args.add(spec.id());
        args.add(spec.name());
        args.add(Integer.toString(shape));
        args.add(cell.status().name());
        args.add(Integer.toString(retries(cell)));
        args.add(String.join(",", spec.needs()));
        args.add(pending(cell));
        List<String> told = cell.dependents();
        args.add(String.join(",", told.size() > PART ? told.subList(0, PART) : told));
        args.add(spec.input() == null ? "" : spec.input());
    }

    /** What is still to run makes its next attempt after those made; what has ended was its last one. */
    private static int retries(TaskCell cell) {
        return cell.status().isTerminal() ? Math.max(0, cell.attempts() - 1) : cell.attempts();
    }

    /** Nothing for a task that has ended, so that no need that ends again decides about it; nor where nothing is needed. */
    private static String pending(TaskCell cell) {
        if (cell.status().isTerminal() || cell.spec().needs().isEmpty()) {
            return "";
        }
        return Long.toString(cell.remaining() + FAILED * cell.failed() + OTHER * cell.other());
    }
}
