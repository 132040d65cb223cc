package dev.hotstate.audit.checks;

import dev.hotstate.audit.facts.Fleet;
import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.scan.Seen;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.core.RedisAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that findings are made from.
 *
 * @param facts of the nodes that answered
 * @param lost nodes that fell silent, by address, with the reason
 * @param previous the last report, null where there is none
 */
public record Grounds(
        RedisAddress address,
        @Nullable Schema schema,
        Fleet fleet,
        List<NodeFacts> facts,
        Seen seen,
        Map<String, String> lost,
        @Nullable Report previous) {}
