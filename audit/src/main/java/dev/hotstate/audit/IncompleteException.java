package dev.hotstate.audit;

import dev.hotstate.audit.report.Report.NotLookedAt;
import dev.hotstate.core.HotstateException;
import java.util.List;
import java.util.stream.Collectors;

/** Not every key was read, and what was asked for rests on all of them. */
public final class IncompleteException extends HotstateException {
    private static final long serialVersionUID = 1L;

    IncompleteException(List<NotLookedAt> unread) {
        super(
                "not every key was read"
                        + (unread.isEmpty()
                                ? ", since it was stopped"
                                : unread.stream()
                                        .map(one -> one.what() + ": " + one.why())
                                        .collect(Collectors.joining("; ", ": ", ""))),
                null);
    }
}
