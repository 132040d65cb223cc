package dev.hotstate.audit.generate;

import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.schema.Schema;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What can be printed from a schema. */
public enum Generated {
    /** Users with least privilege, as lines for {@code redis-cli}. */
    ACL,
    /** Lines for redis.conf. */
    CONF,
    /** Alert rules for Prometheus. */
    ALERTS,
    /** The keyspace as a page in Markdown. */
    DOC;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @param report of the Redis that it is for, which says how much memory it needs; null where there is none */
    public String write(Schema schema, @Nullable Report report) {
        return switch (this) {
            case ACL -> AclUsers.setUserLines(schema);
            case CONF -> ConfAdvice.of(schema, report);
            case ALERTS -> AlertRules.of(schema);
            case DOC -> SchemaPage.of(schema);
        };
    }
}
