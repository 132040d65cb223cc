package dev.hotstate.server.jobs;

import dev.hotstate.core.Follower;
import dev.hotstate.jobs.Lane;
import dev.hotstate.jobs.Tasks;
import dev.hotstate.jobs.work.HttpRunner;
import dev.hotstate.jobs.work.ShellRunner;
import dev.hotstate.jobs.work.Worker;
import dev.hotstate.jobs.work.WorkerOptions;
import dev.hotstate.monitors.check.AddressRules;
import dev.hotstate.monitors.check.Cidr;
import dev.hotstate.server.config.Settings;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The worker that every server is: it makes requests, and runs commands where that is allowed. */
final class OwnWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnWorker.class);

    private final Deque<AutoCloseable> parts;

    private OwnWorker(Deque<AutoCloseable> parts) {
        this.parts = parts;
    }

    /**
     * @param waiting where tasks wait now: unless queues are named, it serves whatever is asked of it
     * @throws IllegalStateException where commands are allowed and the system lacks what they need
     */
    static OwnWorker start(
            Tasks tasks, WorkerOptions options, Settings.JobRunner settings, Supplier<Set<Lane>> waiting) {
        var parts = new ArrayDeque<AutoCloseable>();
        boolean all = settings.queues().isEmpty();
        var queues = all ? Set.of("default") : settings.queues();
        var worker = Worker.of(
                tasks, options.withQueues(queues.toArray(String[]::new)).withConcurrency(settings.concurrency()));
        if (settings.shell()) {
            worker.shell(ShellRunner.open(Path.of("").toAbsolutePath(), System.getenv()));
            LOG.warn("Shell tasks run here: whoever may submit a job may do what this process may (jobs.shell)");
        }
        if (settings.http()) {
            var requests = new HttpRunner(rules(settings)::permit);
            parts.push(requests);
            worker.http(requests);
        }
        if (settings.shell() || settings.http()) {
            parts.push(worker.start());
            if (all) {
                var follower = new Follower("queues", new ServedQueues(waiting, worker::alsoServe)::look);
                parts.push(follower);
                follower.start();
            }
        }
        return new OwnWorker(parts);
    }

    private static AddressRules rules(Settings.JobRunner settings) {
        List<Cidr> allowed =
                settings.allowAddresses().stream().map(OwnWorker::range).toList();
        return new AddressRules(allowed);
    }

    private static Cidr range(String text) {
        try {
            return Cidr.parse(text);
        } catch (IllegalArgumentException none) {
            throw new IllegalArgumentException("jobs.allow_addresses: " + none.getMessage(), none);
        }
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception broken) {
                LOG.warn("The worker of this server did not end cleanly", broken);
            }
        }
    }
}
