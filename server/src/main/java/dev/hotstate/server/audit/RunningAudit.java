package dev.hotstate.server.audit;

import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Chore;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.server.http.Routes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The audits of this server. */
final class RunningAudit implements Feature.Running {
    private final Backbone backbone;
    private final PostgresAudits store;
    private final Audits audits;

    RunningAudit(Backbone backbone, Audits.Auditing auditing) {
        this.backbone = backbone;
        this.store = new PostgresAudits(backbone.database());
        this.audits = new Audits(
                backbone.instance(), store, auditing, new AuditNews(backbone.events())::finished, System::nanoTime);
        new AuditMeters(store)
                .bindTo(backbone.meters(), backbone.redis().keyspace().families());
    }

    @Override
    public List<Routes> routes() {
        return List.of(new AuditRoutes(audits, store, backbone.clock()));
    }

    @Override
    public List<Chore> chores() {
        var settings = backbone.settings().audit();
        var chores = new ArrayList<Chore>();
        chores.add(new Chore(
                "audit-retention",
                Duration.ofDays(1),
                () -> store.forget(backbone.clock().instant().minus(settings.retention()))));
        if (settings.every().isPositive()) {
            // It is only begun here: chores are done one after the other, and others wait.
            chores.add(new Chore("audit", settings.every(), audits::begin));
        }
        return chores;
    }

    @Override
    public void close() {
        audits.close();
    }
}
