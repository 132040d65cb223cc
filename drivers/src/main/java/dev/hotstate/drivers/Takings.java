package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What came of many fixes, each for itself: an answer, or why there is none. From several threads. */
final class Takings {
    private final BiConsumer<CellFix, Placed> told;
    private final Map<CellFix, Placed> placed = new ConcurrentHashMap<>();
    private final Map<CellFix, HotstateException> failed = new ConcurrentHashMap<>();

    /** @param told is told of each answer at once: another's failure is not to keep it from PostgreSQL */
    Takings(BiConsumer<CellFix, Placed> told) {
        this.told = told;
    }

    void put(CellFix fix, Placed answer) {
        placed.put(fix, answer);
        told.accept(fix, answer);
    }

    /** Where it fails, those of the fixes that have no answer have none; true all the same, for whoever awaits it. */
    boolean attempt(List<CellFix> fixes, Runnable step) {
        try {
            step.run();
        } catch (HotstateException notNow) {
            fixes.stream().filter(fix -> !placed.containsKey(fix)).forEach(fix -> failed.put(fix, notNow));
        }
        return true;
    }

    boolean isDone(CellFix fix) {
        return placed.containsKey(fix) || failed.containsKey(fix);
    }

    boolean hasAny() {
        return !placed.isEmpty();
    }

    @Nullable
    Placed placed(CellFix fix) {
        return placed.get(fix);
    }

    Optional<HotstateException> failure(CellFix fix) {
        return Optional.ofNullable(failed.get(fix));
    }
}
