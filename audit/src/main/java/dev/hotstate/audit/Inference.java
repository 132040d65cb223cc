package dev.hotstate.audit;

import dev.hotstate.audit.facts.FactsReader;
import dev.hotstate.audit.facts.Fleet;
import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.infer.FamilyDraft;
import dev.hotstate.audit.scan.KeyspaceScan;
import dev.hotstate.audit.scan.Seen;
import dev.hotstate.audit.scan.SeenFamily;
import dev.hotstate.audit.scan.Sources;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Drafts a schema from a live keyspace, for a person to edit. Names are read again under the draft until none is left
 * that it does not declare.
 */
public final class Inference {
    /** Each round declares all that the one before has left; more than one is left only while keys are written. */
    private static final int ROUNDS = 5;

    private Inference() {}

    /**
     * @param options its schema, if any, is what the draft begins with
     * @throws dev.hotstate.audit.wire.UnansweredException if no node answers, or lets us in
     * @throws IncompleteException if not every key was read: a draft would lack some
     */
    public static Schema infer(AuditTarget target, AuditOptions options, Progress progress)
            throws InterruptedException {
        try (Fleet fleet = Fleet.find(target.address(), Auditor.PATIENCE)) {
            FactsReader reader = new FactsReader();
            List<NodeFacts> facts = reader.read(fleet.members(), Duration.ZERO, time -> true);
            Sources sources = new Readable(fleet, facts, reader.lost()).sources(target.replicas());
            Schema schema = options.schema();
            for (int round = 0; round < ROUNDS; round++) {
                AuditOptions now = options.withSchema(schema).withResume(null);
                Seen seen = new KeyspaceScan(Auditor.scan(target, now, fleet, facts), sources, Auditor.told(progress))
                        .run();
                if (!seen.complete()) {
                    throw new IncompleteException(seen.unread());
                }
                List<SeenFamily> left = seen.families().stream()
                        .filter(family ->
                                family.declared() == null && family.tally().count() > 0)
                        .toList();
                schema = with(schema == null ? Schema.of("", List.of()) : schema, left);
                if (left.isEmpty()) {
                    break;
                }
            }
            return schema == null ? Schema.of("", List.of()) : schema;
        }
    }

    private static Schema with(Schema schema, List<SeenFamily> left) {
        List<Family> families = new ArrayList<>(schema.families());
        Set<String> names = new HashSet<>();
        families.forEach(family -> names.add(family.name()));
        left.forEach(family -> families.add(FamilyDraft.of(family, names)));
        if (schema.prefix().isEmpty()) {
            families.sort(Comparator.comparing(Family::pattern));
        }
        return new Schema(schema.prefix(), schema.naming(), families, schema.users());
    }
}
