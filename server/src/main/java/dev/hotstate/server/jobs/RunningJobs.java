package dev.hotstate.server.jobs;

import dev.hotstate.jobs.JobChange;
import dev.hotstate.jobs.Jobbing;
import dev.hotstate.jobs.work.WorkerOptions;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.ChangeNews;
import dev.hotstate.server.feature.Chore;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.server.http.Routes;
import dev.hotstate.server.http.ops.HealthPart;
import java.time.Duration;
import java.util.List;

/** Jobs at work on this server. */
final class RunningJobs implements Feature.Running {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final Backbone backbone;
    private final Jobbing jobbing;
    private final OwnWorker worker;
    private final ChangeNews<JobChange> news;

    private RunningJobs(Backbone backbone, Jobbing jobbing, OwnWorker worker, ChangeNews<JobChange> news) {
        this.backbone = backbone;
        this.jobbing = jobbing;
        this.worker = worker;
        this.news = news;
    }

    /** If it throws, nothing is left running, the given part included. */
    static RunningJobs start(Backbone backbone, Jobbing jobbing) {
        try {
            var settings = backbone.settings();
            var options = WorkerOptions.named("server-" + backbone.instance()).withGrace(settings.shutdownTimeout());
            var worker =
                    OwnWorker.start(jobbing.tasks(), options, settings.jobs().runner(), jobbing::waiting);
            var news = new ChangeNews<>(backbone.events(), "jobs", "changed", JobChange::id);
            jobbing.listen(news::changed);
            news.start();
            return new RunningJobs(backbone, jobbing, worker, news);
        } catch (RuntimeException | Error failed) {
            jobbing.close();
            throw failed;
        }
    }

    @Override
    public List<Routes> routes() {
        var jobs = jobbing.jobs();
        var allowed = new AllowedRuns(backbone.settings().jobs().runner());
        return List.of(new JobRoutes(new JobRoutes.Calls(
                new JobCalls(jobs, allowed),
                new GraphCalls(jobs, backbone.clock()),
                new LogCalls(jobs),
                new WorkCalls(jobs, jobbing.tasks()),
                new QueueCalls(jobs),
                new ScheduleCalls(jobbing.schedules(), allowed))));
    }

    @Override
    public List<HealthPart> health() {
        return List.of(new HealthPart("jobs", false, new JobsHealth(jobbing::archiveLag, jobbing::stuck)));
    }

    @Override
    public List<Chore> chores() {
        return List.of(
                new Chore("jobs-reconcile", MINUTE, jobbing::reconcile),
                new Chore("jobs-retire", MINUTE, jobbing::retireForgotten),
                new Chore("jobs-forget", HOUR, jobbing::forgetOld));
    }

    @Override
    public void close() {
        worker.close();
        news.close();
        jobbing.close();
    }
}
