package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** How many tasks of a queue may run at once, over all partitions and instances: one leased permit a task. */
interface Permits {
    /** No queue has a limit. */
    Permits NONE = new Permits() {
        @Override
        public Set<String> limited() {
            return Set.of();
        }

        @Override
        public List<String> take(String queue, int wanted, Duration lease) {
            throw new IllegalStateException(queue + " has no limit");
        }

        @Override
        public void keep(String queue, Collection<String> permits, Duration lease) {}

        @Override
        public void give(String queue, Collection<String> permits) {}
    };

    /** The queues that have a limit. */
    Set<String> limited();

    /**
     * As many of those wanted as are free.
     *
     * @throws HotstateException where they cannot be asked for now
     */
    List<String> take(String queue, int wanted, Duration lease);

    void keep(String queue, Collection<String> permits, Duration lease);

    void give(String queue, Collection<String> permits);
}
