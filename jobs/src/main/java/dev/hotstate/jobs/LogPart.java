package dev.hotstate.jobs;

import java.util.List;

/**
 * Lines of a task's log.
 *
 * @param from the number of the first line here; earlier ones may be gone, as only the last ones are kept
 * @param next where to go on
 * @param ended whether the task has ended, so that no more will come
 */
public record LogPart(long from, List<String> lines, long next, boolean ended) {}
