package dev.hotstate.drivers;

import dev.hotstate.core.Flaw;
import java.util.List;

/**
 * What became of many fixes.
 *
 * @param ignored those that were not newer than what was known, or than another one of the same driver in this batch
 */
public record LocatedAll(int accepted, int ignored, List<Refused> refused) {
    /** One that could not be taken, by its place in the batch. */
    public record Refused(int index, Flaw flaw) {}
}
