package dev.hotstate.jobs.work;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.Held;
import dev.hotstate.jobs.Tasks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lines of one attempt on their way to its log, in order. At most {@value #MOST_LINES} lines and {@value #MOST_CHARS}
 * characters wait: that is as much as a log keeps, so of a flood the last lines stay.
 */
final class LogLines {
    private static final Logger log = LoggerFactory.getLogger(LogLines.class);
    static final int MOST_LINES = 1_000;
    private static final int MOST_CHARS = 1_000_000;
    private static final int LONGEST_LINE = 4_096;

    private final Held task;
    private final Tasks tasks;
    private final Consumer<LogLines> waiting;
    private final Deque<String> lines = new ArrayDeque<>();
    private final ReentrantLock sending = new ReentrantLock();
    private int chars;
    private long leftOut;
    private boolean announced;

    /** @param waiting told when there is something to send, once until it is sent */
    LogLines(Held task, Tasks tasks, Consumer<LogLines> waiting) {
        this.task = task;
        this.tasks = tasks;
        this.waiting = waiting;
    }

    void add(String text) {
        boolean first;
        synchronized (lines) {
            for (String line : text.split("\r\n|\r|\n", -1)) {
                String kept = line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) : line;
                lines.addLast(kept);
                chars += kept.length();
                while (lines.size() > MOST_LINES || chars > MOST_CHARS) {
                    chars -= lines.removeFirst().length();
                    leftOut++;
                }
            }
            first = !announced;
            announced = true;
        }
        if (first) {
            waiting.accept(this);
        }
    }

    /** Sends what waits. What does not arrive is lost: a log is told, not promised. */
    void flush() {
        sending.lock();
        try {
            List<String> taken = taken();
            if (!taken.isEmpty()) {
                tasks.log(task, taken);
            }
        } catch (HotstateException away) {
            log.debug("lines of {} are lost: {}", task, away.getMessage());
        } finally {
            sending.unlock();
        }
    }

    private List<String> taken() {
        synchronized (lines) {
            List<String> taken = new ArrayList<>(lines.size() + 1);
            if (leftOut > 0) {
                // In the place of one more of them, so that the call stays within its bound.
                if (lines.size() == MOST_LINES) {
                    lines.removeFirst();
                    leftOut++;
                }
                taken.add("… " + leftOut + " lines were left out");
            }
            taken.addAll(lines);
            lines.clear();
            chars = 0;
            leftOut = 0;
            announced = false;
            return taken;
        }
    }
}
