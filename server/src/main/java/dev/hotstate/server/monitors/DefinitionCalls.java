package dev.hotstate.server.monitors;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.hotstate.core.HotstateException;
import dev.hotstate.monitors.Applied;
import dev.hotstate.monitors.Definition;
import dev.hotstate.monitors.Definitions;
import dev.hotstate.monitors.Live;
import dev.hotstate.monitors.Monitor;
import dev.hotstate.monitors.MonitorDocument;
import dev.hotstate.monitors.Monitoring;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Ids;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is watched: read, made, changed, applied as a list. */
final class DefinitionCalls {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionCalls.class);
    private static final TypeReference<List<@Nullable MonitorDocument>> DOCUMENTS = new TypeReference<>() {};

    private final Monitoring monitoring;
    private final Definitions definitions;
    private final PingUrls pingUrls;

    DefinitionCalls(Monitoring monitoring, PingUrls pingUrls) {
        this.monitoring = monitoring;
        this.definitions = monitoring.definitions();
        this.pingUrls = pingUrls;
    }

    Answer create(Request request) {
        Monitor monitor = request.document(MonitorDocument.class).toMonitor();
        new Check().id(monitor.id(), "id").refuse();
        Definition created = definitions
                .create(monitor)
                .orElseThrow(() -> Problem.conflict("There is a monitor \"" + monitor.id() + "\" already."));
        return Answer.created("/monitors/" + created.id(), shown(request, created));
    }

    Answer find(Request request) {
        return monitoring
                .monitors()
                .find(request.id("id"))
                .map(found -> Answer.ok(
                        MonitorShown.of(found.definition(), found.live(), pingUrls.of(request, found.definition()))))
                .orElseThrow(() -> unknown(request));
    }

    Answer replace(Request request) {
        var document = request.document(MonitorDocument.class, MonitorShown.BESIDE);
        return changed(request, current -> monitor(document, current));
    }

    Answer patch(Request request) {
        // Read before PostgreSQL is asked for anything: nobody else can write meanwhile.
        var patch = request.patch(MonitorDocument.class);
        return changed(
                request,
                current -> monitor(patch.apply(MonitorDocument.of(current).masked()), current));
    }

    private Answer changed(Request request, UnaryOperator<Monitor> change) {
        return answer(request, definitions.update(request.id("id"), change));
    }

    private static Monitor monitor(MonitorDocument document, Monitor current) {
        String id = document.id();
        new Check()
                .that(id == null || id.equals(current.id()), "id", "must stay \"" + current.id() + "\"")
                .refuse();
        return document.withSecretsOf(current).toMonitor(current.id());
    }

    Answer pause(Request request) {
        return answer(request, definitions.pause(request.id("id")));
    }

    Answer resume(Request request) {
        return answer(request, definitions.resume(request.id("id")));
    }

    private Answer answer(Request request, Optional<Definition> changed) {
        return changed.map(definition -> Answer.ok(shown(request, definition))).orElseThrow(() -> unknown(request));
    }

    Answer delete(Request request) {
        if (definitions.delete(request.id("id")).isEmpty()) {
            throw unknown(request);
        }
        endIncidents();
        return Answer.noContent();
    }

    Answer apply(Request request) {
        boolean dryRun = request.queryFlag("dry_run");
        boolean prune = request.queryFlag("prune");
        var documents = request.document(DOCUMENTS);
        List<Monitor> monitors =
                MonitorDocument.toMonitors(documents, id -> definitions.find(id).map(Definition::monitor));
        refuseWords(documents, monitors);
        Applied applied = definitions.apply(monitors, dryRun, prune);
        if (!dryRun && !applied.deleted().isEmpty()) {
            endIncidents();
        }
        return Answer.ok(Report.of(applied));
    }

    /** What an apply did, or with {@code dry_run} would do. */
    private record Report(
            List<String> created,
            List<String> updated,
            List<String> deleted,
            int unchanged,
            List<Applied.Change> changes) {
        static Report of(Applied applied) {
            return new Report(
                    applied.created(), applied.updated(), applied.deleted(), applied.unchanged(), applied.changes());
        }
    }

    /** An id may not hide a path. One that comes of a name is mended by giving another. */
    private static void refuseWords(List<@Nullable MonitorDocument> documents, List<Monitor> monitors) {
        var check = new Check();
        for (int i = 0; i < monitors.size(); i++) {
            var document = documents.get(i);
            boolean named = document != null && document.id() == null;
            String place = "[" + i + "].id";
            Ids.objection(monitors.get(i).id())
                    .ifPresent(why -> check.that(false, place, named ? "is needed: of the name, " + why : why));
        }
        check.refuse();
    }

    /** Those of deleted monitors. If it fails, a chore does it within a minute. */
    private void endIncidents() {
        try {
            monitoring.abandonDeleted();
        } catch (HotstateException later) {
            LOG.info("The incidents of deleted monitors stay for now: {}", later.getMessage());
        }
    }

    /** A change is made when PostgreSQL has it; that Redis does not answer just then is no reason to call it failed. */
    private Object shown(Request request, Definition definition) {
        return MonitorShown.of(definition, live(definition), pingUrls.of(request, definition));
    }

    private @Nullable Live live(Definition definition) {
        try {
            return monitoring.monitors().watched(List.of(definition)).getFirst().live();
        } catch (HotstateException away) {
            return null;
        }
    }

    static Problem unknown(Request request) {
        return Problem.notFound("There is no monitor \"" + request.path("id") + "\".");
    }
}
