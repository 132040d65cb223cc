package dev.hotstate.server.jobs;

import dev.hotstate.jobs.Jobs;
import dev.hotstate.jobs.LogPart;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What tasks have logged: a part of it, or all that comes until the task has ended. */
final class LogCalls {
    private static final int USUAL_LINES = 50;
    private static final int MOST_LINES = 1_000;
    private static final int MOST_FOLLOWERS = 200;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,15}");
    private static final Pattern STAMPED = Pattern.compile("(\\d{10,16}) (.*)", Pattern.DOTALL);

    private final Jobs jobs;
    private final Semaphore places = new Semaphore(MOST_FOLLOWERS);
    private volatile boolean stopping;

    LogCalls(Jobs jobs) {
        this.jobs = jobs;
    }

    /** Those who follow a log are let go; they may come again with the number of the last line they saw. */
    void stopping() {
        stopping = true;
    }

    Answer logs(Request request) {
        var path = JobPath.of(request);
        return request.queryFlag("follow") ? follow(request, path) : part(request, path);
    }

    private Answer part(Request request, JobPath path) {
        long from = number("cursor", request.query("cursor").orElse("0"));
        int limit = request.queryInt("limit", USUAL_LINES, 1, MOST_LINES);
        return Answer.ok(LogShown.of(read(path, from, limit), limit));
    }

    private Answer follow(Request request, JobPath path) {
        String last =
                request.header("Last-Event-ID").filter(id -> !id.isEmpty()).orElse("-1");
        long from = last.equals("-1") ? 0 : number("Last-Event-ID", last) + 1;
        var first = read(path, from, MOST_LINES);
        if (places.availablePermits() == 0) {
            throw Problem.unavailable("As many clients follow logs here as may.", Duration.ofSeconds(5));
        }
        return Answer.stream("text/event-stream", out -> {
                    if (places.tryAcquire()) {
                        try {
                            new LogStream(next -> read(path, next, MOST_LINES), request::isStillAllowed, () -> stopping)
                                    .writeTo(out, first);
                        } finally {
                            places.release();
                        }
                    }
                })
                .with("X-Accel-Buffering", "no");
    }

    private LogPart read(JobPath path, long from, int limit) {
        return jobs.logs(path.job(), path.task(), from, limit).orElseThrow(path::unknown);
    }

    private static long number(String field, String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw Problem.invalid(field, "must be the number of a line");
        }
        return Long.parseLong(text);
    }

    /**
     * @param lines the texts alone
     * @param nextCursor null where nothing has come, or nothing more will
     * @param ended whether no more will come
     */
    private record LogShown(
            List<Line> items, List<String> lines, @Nullable String nextCursor, boolean ended) {
        static LogShown of(LogPart part, int limit) {
            var items = Line.of(part);
            boolean isLast = items.isEmpty() || (part.ended() && items.size() < limit);
            return new LogShown(
                    items,
                    items.stream().map(Line::line).toList(),
                    isLast ? null : String.valueOf(part.next()),
                    part.ended());
        }
    }

    /** @param at when it was logged; null where that was not noted */
    record Line(long number, @Nullable Instant at, String line) {
        static List<Line> of(LogPart part) {
            var lines = new ArrayList<Line>();
            for (String line : part.lines()) {
                var stamped = STAMPED.matcher(line);
                long number = part.from() + lines.size();
                lines.add(
                        stamped.matches()
                                ? new Line(
                                        number,
                                        Instant.ofEpochMilli(Long.parseLong(stamped.group(1))),
                                        stamped.group(2))
                                : new Line(number, null, line));
            }
            return lines;
        }
    }
}
