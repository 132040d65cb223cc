package dev.hotstate.server.audit;

import dev.hotstate.core.Events;
import dev.hotstate.core.HotstateException;
import dev.hotstate.server.audit.PostgresAudits.Summary;
import dev.hotstate.server.http.Json;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of each audit that was made, as {@code audit.finished} with its counts. */
final class AuditNews {
    private static final Logger LOG = LoggerFactory.getLogger(AuditNews.class);
    private static final String TOPIC = "audit";

    private final Events events;

    AuditNews(Events events) {
        this.events = events;
    }

    /** The data of {@code audit.finished}. */
    record Finished(long id, Instant at, long keys, long undeclared, int errors, int warnings, int infos) {}

    void finished(Summary summary) {
        var data = new Finished(
                summary.id(),
                summary.at(),
                summary.keys(),
                summary.undeclared(),
                summary.errors(),
                summary.warnings(),
                summary.infos());
        try {
            events.publish(TOPIC, "finished", Json.text(data));
        } catch (HotstateException away) {
            LOG.debug("nobody is told of an audit: {}", away.getMessage());
        }
    }
}
