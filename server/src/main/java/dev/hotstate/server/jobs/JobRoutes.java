package dev.hotstate.server.jobs;

import dev.hotstate.jobs.JobStateException;
import dev.hotstate.jobs.UnknownJobException;
import dev.hotstate.jobs.graph.JobLimits;
import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.util.List;
import java.util.stream.Stream;

/** Every call of jobs, of those who work on them, and of what starts them by the clock. */
final class JobRoutes implements Routes {
    private final JobCalls jobs;
    private final GraphCalls graphs;
    private final LogCalls logs;
    private final WorkCalls work;
    private final QueueCalls queues;
    private final ScheduleCalls schedules;

    JobRoutes(Calls calls) {
        this.jobs = calls.jobs;
        this.graphs = calls.graphs;
        this.logs = calls.logs;
        this.work = calls.work;
        this.queues = calls.queues;
        this.schedules = calls.schedules;
    }

    record Calls(
            JobCalls jobs,
            GraphCalls graphs,
            LogCalls logs,
            WorkCalls work,
            QueueCalls queues,
            ScheduleCalls schedules) {}

    @Override
    public String feature() {
        return "jobs";
    }

    @Override
    public List<Route> routes() {
        return Stream.of(
                        Route.post("/jobs", Access.OPERATOR, jobs::submit).withBodyOf(JobLimits.DOCUMENT_BYTES),
                        Route.get("/jobs", Access.VIEWER, jobs::list),
                        Route.get("/jobs/{id}", Access.VIEWER, jobs::find),
                        Route.get("/jobs/{id}/tasks", Access.VIEWER, jobs::tasks),
                        Route.get("/jobs/{id}/tasks/{task}", Access.VIEWER_OR_AGENT, jobs::task),
                        Route.get("/jobs/{id}/graph", Access.VIEWER, graphs::graph),
                        Route.get("/jobs/{id}/tasks/{task}/logs", Access.VIEWER, logs::logs),
                        Route.get("/jobs/{id}/tasks/{task}/why", Access.VIEWER, jobs::why),
                        Route.post("/jobs/{id}/cancel", Access.OPERATOR, jobs::cancel),
                        Route.post("/jobs/{id}/pause", Access.OPERATOR, jobs::pause),
                        Route.post("/jobs/{id}/resume", Access.OPERATOR, jobs::resume),
                        Route.post("/jobs/{id}/rerun", Access.OPERATOR, jobs::rerun),
                        Route.post("/tasks/claim", Access.OPERATOR_OR_AGENT, work::claim),
                        Route.post("/tasks/complete", Access.OPERATOR_OR_AGENT, work::completeAll)
                                .withBodyOf(WorkCalls.LARGEST_BATCH),
                        Route.post("/jobs/{id}/tasks/{task}/complete", Access.OPERATOR_OR_AGENT, work::complete),
                        Route.post("/jobs/{id}/tasks/{task}/fail", Access.OPERATOR_OR_AGENT, work::fail),
                        Route.post("/jobs/{id}/tasks/{task}/heartbeat", Access.OPERATOR_OR_AGENT, work::heartbeat),
                        Route.post("/jobs/{id}/tasks/{task}/log", Access.OPERATOR_OR_AGENT, work::log),
                        Route.get("/queues", Access.VIEWER, queues::queues),
                        Route.put("/queues/{queue}", Access.OPERATOR, queues::limit),
                        Route.get("/workers", Access.VIEWER, queues::workers),
                        Route.get("/schedules", Access.VIEWER, schedules::list),
                        Route.get("/schedules/{id}", Access.VIEWER, schedules::find),
                        Route.put("/schedules/{id}", Access.OPERATOR, schedules::put)
                                .withBodyOf(JobLimits.DOCUMENT_BYTES),
                        Route.delete("/schedules/{id}", Access.OPERATOR, schedules::delete))
                .map(JobRoutes::tellingRefusals)
                .toList();
    }

    @Override
    public void stopping() {
        work.stopping();
        logs.stopping();
    }

    private static Route tellingRefusals(Route route) {
        return route.answeredBy(request -> {
            try {
                return route.handler().answer(request);
            } catch (UnknownJobException unknown) {
                throw Problem.notFound(String.valueOf(unknown.getMessage()));
            } catch (JobStateException other) {
                throw Problem.conflict(String.valueOf(other.getMessage()));
            }
        });
    }
}
