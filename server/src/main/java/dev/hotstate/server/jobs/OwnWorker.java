package dev.hotstate.server.jobs;

import dev.hotstate.jobs.Tasks;
import dev.hotstate.jobs.work.HttpRunner;
import dev.hotstate.jobs.work.ShellRunner;
import dev.hotstate.jobs.work.Worker;
import dev.hotstate.jobs.work.WorkerOptions;
import dev.hotstate.monitors.check.AddressRules;
import dev.hotstate.monitors.check.Cidr;
import dev.hotstate.server.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The worker that every server is: it makes requests, and runs commands where that is allowed. */
final class OwnWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnWorker.class);

    private final HttpRunner requests;
    private final @Nullable Worker worker;

    private OwnWorker(HttpRunner requests, @Nullable Worker worker) {
        this.requests = requests;
        this.worker = worker;
    }

    /** @throws IllegalStateException where commands are allowed and the system lacks what they need */
    static OwnWorker start(Tasks tasks, String name, Settings.JobRunner settings) {
        var shell = settings.shell() ? ShellRunner.open(Path.of("").toAbsolutePath(), System.getenv()) : null;
        var requests = new HttpRunner(rules(settings)::permit);
        if (settings.queues().isEmpty() || (shell == null && !settings.http())) {
            return new OwnWorker(requests, null);
        }
        var worker = Worker.of(
                tasks,
                WorkerOptions.named(name)
                        .withQueues(settings.queues().toArray(String[]::new))
                        .withConcurrency(settings.concurrency()));
        if (settings.http()) {
            worker.http(requests);
        }
        if (shell != null) {
            worker.shell(shell);
            LOG.warn("Shell tasks run here: whoever may submit a job may do what this process may (jobs.shell)");
        }
        return new OwnWorker(requests, worker.start());
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
        if (worker != null) {
            worker.close();
        }
        try {
            requests.close();
        } catch (IOException broken) {
            LOG.debug("connections of tasks were not closed: {}", broken.toString());
        }
    }
}
