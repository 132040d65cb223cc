package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lines of tasks: from Redis while they are there, and from PostgreSQL after that. */
final class Logs {
    private static final Logger log = LoggerFactory.getLogger(Logs.class);

    private final TaskViews tasks;
    private final RedisLook live;
    private final PostgresEnds stored;

    Logs(TaskViews tasks, RedisLook live, PostgresEnds stored) {
        this.tasks = tasks;
        this.live = live;
        this.stored = stored;
    }

    Optional<LogPart> read(String job, String task, long from, int limit) {
        return tasks.find(job, task, Results.NONE).map(view -> {
            Seen now = live(job, task, from, limit);
            // Of a task that had ended when its job was loaded, Redis has no lines.
            return now.part
                    .filter(part -> !part.ended() || !part.lines().isEmpty())
                    .or(() -> stored.log(job, task).map(whole -> part(whole, from, limit)))
                    .or(() -> now.part)
                    .orElseGet(() ->
                            new LogPart(from, List.of(), from, view.status().isTerminal() && isAll(now, job)));
        });
    }

    /** @param asked false where Redis is away */
    private record Seen(boolean asked, Optional<LogPart> part) {}

    private Seen live(String job, String task, long from, int limit) {
        try {
            return new Seen(true, live.lines(job, task, from, limit));
        } catch (HotstateException away) {
            log.debug("lines of {} of {} are from PostgreSQL: {}", task, job, away.getMessage());
            return new Seen(false, Optional.empty());
        }
    }

    /** Until a job is retired, its lines may be in Redis alone: who follows them there waits for it to be back. */
    private boolean isAll(Seen now, String job) {
        return now.asked || stored.isRetired(job);
    }

    private static LogPart part(PostgresEnds.Log whole, long from, int limit) {
        long first = Math.max(from, whole.first());
        int begin = (int) Math.min(first - whole.first(), whole.lines().size());
        int end = Math.min(begin + limit, whole.lines().size());
        return new LogPart(first, whole.lines().subList(begin, end), first + end - begin, true);
    }
}
