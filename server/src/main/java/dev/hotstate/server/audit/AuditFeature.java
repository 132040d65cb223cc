package dev.hotstate.server.audit;

import dev.hotstate.audit.AuditOptions;
import dev.hotstate.audit.AuditTarget;
import dev.hotstate.audit.Auditor;
import dev.hotstate.audit.schema.SchemaReader;
import dev.hotstate.core.KeyspaceSchema;
import dev.hotstate.core.Service;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.store.MigrationSet;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The server's own Redis, held against what the program declares. */
public final class AuditFeature implements Feature {
    /** It keeps nothing in Redis; it looks at everything. */
    static final Service RIGHTS = new Service("audit", List.of(), List.of(), commands());

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public Service keys() {
        return RIGHTS;
    }

    @Override
    public List<MigrationSet> migrations() {
        return List.of(MigrationSet.of("audit"));
    }

    @Override
    public Running start(Backbone backbone) {
        var settings = backbone.settings().audit();
        var target = new AuditTarget(backbone.redis().address(), true);
        var options = AuditOptions.DEFAULT
                .withSchema(
                        SchemaReader.read(KeyspaceSchema.yaml(backbone.redis().keyspace())))
                .withSample(settings.sample())
                .withWatch(settings.watch());
        var auditor = new Auditor(() -> backbone.clock().instant().truncatedTo(ChronoUnit.MILLIS));
        return new RunningAudit(
                backbone, (previous, progress) -> auditor.audit(target, options.withPrevious(previous), progress));
    }

    /** As the auditor's own rule has them. */
    private static Set<String> commands() {
        return Arrays.stream(Auditor.aclRule().split(" "))
                .filter(word -> word.startsWith("+"))
                .map(word -> word.substring(1))
                .collect(Collectors.toSet());
    }
}
