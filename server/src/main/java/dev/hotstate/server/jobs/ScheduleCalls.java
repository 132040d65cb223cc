package dev.hotstate.server.jobs;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.jobs.Schedule;
import dev.hotstate.jobs.ScheduleDocument;
import dev.hotstate.jobs.ScheduleView;
import dev.hotstate.jobs.Schedules;
import dev.hotstate.jobs.graph.Run;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Json;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jobs that come again by the clock. */
final class ScheduleCalls {
    private static final TypeReference<Map<String, JsonNode>> FIELDS = new TypeReference<>() {};

    private final Schedules schedules;
    private final AllowedRuns allowed;

    ScheduleCalls(Schedules schedules, AllowedRuns allowed) {
        this.schedules = schedules;
        this.allowed = allowed;
    }

    /** By id; a cursor is the last id before. */
    Answer list(Request request) {
        var page = request.page();
        var after = page.cursor().orElse("");
        var found = schedules.list().stream()
                .filter(view -> view.schedule().id().compareTo(after) > 0)
                .limit(page.limit() + 1L)
                .toList();
        var listing = Listing.of(found, page, view -> view.schedule().id());
        return Answer.ok(
                new Listing<>(listing.items().stream().map(ScheduleCalls::shown).toList(), listing.nextCursor()));
    }

    Answer find(Request request) {
        return schedules
                .get(request.id("id"))
                .map(view -> Answer.ok(shown(view)))
                .orElseThrow(() -> unknown(request));
    }

    Answer put(Request request) {
        String id = request.id("id");
        var schedule =
                request.document(bytes -> ScheduleDocument.json(id, bytes), bytes -> ScheduleDocument.yaml(id, bytes));
        var before = schedules.get(id).map(view -> view.schedule().job());
        var job = new Unmasked(before.orElse(null), "job.").job(schedule.job());
        allowed.check(job, "job.");
        var stored = shown(schedules.put(
                new Schedule(id, schedule.times(), schedule.overlap(), schedule.catchUp(), schedule.paused(), job)));
        return before.isEmpty() ? Answer.created("/schedules/" + id, stored) : Answer.ok(stored);
    }

    Answer delete(Request request) {
        if (!schedules.delete(request.id("id"))) {
            throw unknown(request);
        }
        return Answer.noContent();
    }

    private static Problem unknown(Request request) {
        return Problem.notFound("There is no schedule \"" + request.path("id") + "\".");
    }

    /** The document as it can be put again, and what has come of it. */
    private static Map<String, @Nullable Object> shown(ScheduleView view) {
        var shown = new LinkedHashMap<String, @Nullable Object>();
        shown.put("id", view.schedule().id());
        shown.putAll(Json.read(ScheduleDocument.write(view.schedule()), FIELDS));
        mask(view.schedule().job().tasks(), shown.get("job"));
        shown.put("next_at", view.nextAt());
        shown.put("last_at", view.lastAt());
        shown.put("last_job", view.lastJob());
        shown.put("created_at", view.createdAt());
        shown.put("updated_at", view.updatedAt());
        return shown;
    }

    private static void mask(List<TaskSpec> tasks, @Nullable Object job) {
        for (int i = 0; i < tasks.size(); i++) {
            if (tasks.get(i).run() instanceof Run.Http http
                    && job instanceof JsonNode tree
                    && tree.path("tasks").path(i) instanceof ObjectNode task) {
                task.putPOJO("run", RunShown.of(http));
            }
        }
    }
}
