package dev.hotstate.traffic;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What one stripe counted since the last drain. Only one thread at a time has it. */
final class Page {
    static final int STATUSES = 500;
    /** For a request that is no part of any second's speed. */
    static final long NO_SECOND = -1;

    private static final int FIRST_STATUS = 100;

    /** Seconds that are told apart. Drained once a second, a page sees two, and up to five more of late reports. */
    private static final int SECONDS = 8;

    private final @Nullable Cell[] cells;
    private final Map<Place, Cell> elsewhere = new HashMap<>();
    private final int[] statuses = new int[STATUSES];
    private final long[] seconds = new long[SECONDS];
    private final int[] secondCounts = new int[SECONDS];

    Page(int ids) {
        this.cells = new @Nullable Cell[ids];
    }

    void add(Endpoint endpoint, int status, long micros, long atMs, long second) {
        statuses[status - FIRST_STATUS]++;
        if (second != NO_SECOND) {
            countSecond(second);
        }
        cell(endpoint, atMs).add(status, micros, atMs);
    }

    /** Should a drain be eight seconds late, the older of two seconds in one place is not told: its speed is over. */
    private void countSecond(long second) {
        int place = (int) (second & SECONDS - 1);
        if (second > seconds[place]) {
            seconds[place] = second;
            secondCounts[place] = 0;
        }
        if (second == seconds[place]) {
            secondCounts[place]++;
        }
    }

    void cells(Consumer<Cell> consumer) {
        for (Cell cell : cells) {
            if (cell != null && !cell.isEmpty()) {
                consumer.accept(cell);
            }
        }
        elsewhere.values().forEach(consumer);
    }

    void statuses(Counted consumer) {
        for (int i = 0; i < STATUSES; i++) {
            if (statuses[i] > 0) {
                consumer.accept(FIRST_STATUS + i, statuses[i]);
            }
        }
    }

    void seconds(Counted consumer) {
        for (int i = 0; i < SECONDS; i++) {
            if (secondCounts[i] > 0) {
                consumer.accept(seconds[i], secondCounts[i]);
            }
        }
    }

    @FunctionalInterface
    interface Counted {
        void accept(long what, int count);
    }

    /** Keeps the memory of endpoints that were asked for; what the others took is given back. */
    void clear() {
        for (int i = 0; i < cells.length; i++) {
            Cell cell = cells[i];
            if (cell != null && cell.isEmpty()) {
                cells[i] = null;
            } else if (cell != null) {
                cell.clear();
            }
        }
        elsewhere.clear();
        Arrays.fill(statuses, 0);
        Arrays.fill(secondCounts, 0);
    }

    /** An endpoint has one cell at hand; a request of another ten seconds (their turn, a late report) finds its own. */
    private Cell cell(Endpoint endpoint, long atMs) {
        Cell cell = cells[endpoint.id()];
        return cell != null && cell.isOf(endpoint) && cell.covers(atMs)
                ? cell
                : cellOf(endpoint, Level.TEN_SECONDS.start(atMs));
    }

    private Cell cellOf(Endpoint endpoint, long start) {
        Cell cell = cells[endpoint.id()];
        if (cell == null || !cell.isOf(endpoint) && cell.isEmpty()) {
            cell = new Cell(endpoint, start);
            cells[endpoint.id()] = cell;
        }
        return cell.isOf(endpoint) && cell.takes(start)
                ? cell
                : elsewhere.computeIfAbsent(new Place(endpoint, start), place -> new Cell(endpoint, start));
    }

    private record Place(Endpoint endpoint, long start) {}
}
