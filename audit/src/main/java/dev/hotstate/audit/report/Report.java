package dev.hotstate.audit.report;

import dev.hotstate.audit.rules.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an audit saw and found. Every text in it that came from Redis is printable: names are escaped as {@link KeyName}
 * shows them.
 *
 * @param keys all keys that were seen, over all nodes
 * @param complete whether all that had to be read was: if not, nothing is said of the rest
 * @param sampling how costly checks were made
 * @param families the declared ones in the order of the schema, then the others by their names
 * @param findings the worst first, then by rule and family
 * @param notLookedAt what the user had no right to, or what the server does not have
 * @param activity what the server was doing meanwhile
 * @param configuration the settings of each node that matter, by the node's address: what drift is seen by
 */
public record Report(
        Server server,
        Instant startedAt,
        long keys,
        boolean complete,
        Sampling sampling,
        List<FamilyReport> families,
        List<Finding> findings,
        Memory memory,
        Cost cost,
        List<NotLookedAt> notLookedAt,
        Activity activity,
        Map<String, Map<String, String>> configuration) {

    /**
     * @param full whether each key was looked at
     * @param perFamily keys that were looked at in each family otherwise
     * @param seed what the choice depends on: the same seed chooses the same keys of a keyspace that stands still
     */
    public record Sampling(boolean full, int perFamily, long seed) {}

    /**
     * @param what the command, or the part of the report
     * @param why the server's words, or ours
     */
    public record NotLookedAt(String what, String why) {}

    public Report {
        families = List.copyOf(families);
        findings = findings.stream().sorted(Finding.ORDER).toList();
        notLookedAt = List.copyOf(notLookedAt);
        configuration = Map.copyOf(configuration);
    }

    /** The same report with other findings: those that a baseline or a waiver leaves. */
    public Report withFindings(List<Finding> others) {
        return new Report(
                server,
                startedAt,
                keys,
                complete,
                sampling,
                families,
                others,
                memory,
                cost,
                notLookedAt,
                activity,
                configuration);
    }

    public long count(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    /** The severity of the first finding, null where there is none. */
    public @Nullable Severity worst() {
        return findings.isEmpty() ? null : findings.getFirst().severity();
    }
}
