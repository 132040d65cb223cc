package dev.hotstate.audit.scan;

import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Names;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives all keys of one node to a {@link Looker}. The next names are asked for between the questions about those before,
 * over the same connection, while there is still a stock of them.
 */
final class FullScan implements Looker.Feed {
    /** Fewer names than this are asked for before they have gone. */
    private static final int STOCK = 200;

    private final Census census;
    private final Cursor cursor;
    private final Batch batch;
    private final ScanTime time;
    private final BooleanSupplier goesOn;
    private final Deque<Names> stock = new ArrayDeque<>();
    private int taken;
    private int left;
    private boolean asked;

    /** @param goesOn asked before each question; after it said no, nothing more is asked */
    FullScan(Connection node, Census census, Duration latency, BooleanSupplier goesOn) {
        this.cursor = new Cursor(node);
        this.census = census;
        this.batch = new Batch(latency);
        this.time = new ScanTime(node);
        this.goesOn = goesOn;
    }

    Cursor cursor() {
        return cursor;
    }

    /** Names that a former scan has read and not looked at. */
    void add(Names names) {
        stock.add(names);
        left += names.count();
    }

    @Override
    public @Nullable Looked next() {
        if (left == 0 || !goesOn.getAsBoolean()) {
            return null;
        }
        Names names = stock.element();
        while (taken == names.count()) {
            stock.remove();
            names = stock.element();
            taken = 0;
        }
        left--;
        int index = taken++;
        return census.toLookAt(names.bytes(), names.from(index), names.to(index));
    }

    @Override
    public boolean ask() {
        if (asked || cursor.isEnded() || left >= Math.max(STOCK, batch.count()) || !goesOn.getAsBoolean()) {
            return false;
        }
        time.follow(batch);
        cursor.put(batch.count());
        asked = true;
        return true;
    }

    @Override
    public void read() {
        Names names = new Names();
        cursor.read(names, batch.count());
        asked = false;
        add(names);
    }

    /** Whether all names were read and taken. */
    boolean isDone() {
        return cursor.isEnded() && left == 0;
    }

    int batch() {
        return batch.count();
    }

    /** Names that were not yet taken. */
    List<Looked> untaken() {
        List<Looked> untaken = new ArrayList<>();
        int from = taken;
        for (Names names : stock) {
            for (int i = from; i < names.count(); i++) {
                untaken.add(census.toLookAt(names.bytes(), names.from(i), names.to(i)));
            }
            from = 0;
        }
        return untaken;
    }
}
