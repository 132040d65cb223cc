package dev.hotstate.audit.generate;

import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * Alert rules for Prometheus: the thresholds of the checklist on the metrics of redis_exporter, and those of families on
 * the metrics of a hotstate server that audits by schedule.
 */
final class AlertRules {
    private static final long NOTICEABLE = 16 << 20;

    private AlertRules() {}

    /**
     * @param since how long it must be so before it is told; nothing: at once
     * @param family as a label, because promtool refuses two alerts of the same name and labels; empty where it is of none
     */
    private record Alert(String name, String expr, String since, String severity, String summary, String family) {
        Alert(String name, String expr, String since, String severity, String summary) {
            this(name, expr, since, severity, summary, "");
        }
    }

    private static final List<Alert> SERVER = List.of(
            new Alert("RedisDown", "redis_up == 0", "1m", "critical", "Redis {{ $labels.instance }} does not answer"),
            new Alert(
                    "RedisMemoryHigh",
                    "redis_memory_used_bytes / (redis_memory_max_bytes > 0) > 0.8",
                    "5m",
                    "warning",
                    "Redis {{ $labels.instance }} uses {{ $value | humanizePercentage }} of maxmemory"),
            new Alert(
                    "RedisClientsHigh",
                    "redis_connected_clients / redis_config_maxclients > 0.8",
                    "5m",
                    "warning",
                    "Redis {{ $labels.instance }} has {{ $value | humanizePercentage }} of maxclients connected"),
            new Alert(
                    "RedisMissesHigh",
                    "rate(redis_keyspace_misses_total[5m]) / (rate(redis_keyspace_hits_total[5m]) +"
                            + " rate(redis_keyspace_misses_total[5m]) > 1) > 0.5",
                    "15m",
                    "warning",
                    "{{ $value | humanizePercentage }} of the reads of Redis {{ $labels.instance }} miss"),
            new Alert(
                    "RedisEvictedKeys",
                    "increase(redis_evicted_keys_total[5m]) > 0",
                    "",
                    "warning",
                    "Redis {{ $labels.instance }} evicts keys: investigate"),
            new Alert(
                    "RedisSlowlogBusy",
                    "delta(redis_slowlog_last_id[1m]) > 10",
                    "1m",
                    "warning",
                    "Redis {{ $labels.instance }} logs {{ $value | humanize }} slow commands a minute"),
            new Alert(
                    "RedisSnapshotFailed",
                    "redis_rdb_last_bgsave_status == 0",
                    "1m",
                    "critical",
                    "The last snapshot of Redis {{ $labels.instance }} failed"),
            new Alert(
                    "RedisAofFailed",
                    "redis_aof_last_write_status == 0",
                    "1m",
                    "critical",
                    "Redis {{ $labels.instance }} cannot write its append-only file"),
            new Alert(
                    "RedisReplicaLinkDown",
                    "redis_master_link_up == 0",
                    "1m",
                    "critical",
                    "The replica {{ $labels.instance }} has lost its master"));

    static String of(Schema schema) {
        StringBuilder out = new StringBuilder();
        out.append(
                "# Alert rules for Prometheus. The first group needs redis_exporter, the second the metrics of a hotstate\n");
        out.append("# server with the feature audit. Check with: promtool check rules FILE\n");
        out.append("groups:\n");
        group(out, "redis", SERVER);
        List<Alert> families = new ArrayList<>(List.of(
                new Alert(
                        "RedisAuditErrors",
                        "hotstate_audit_findings{severity=\"error\"} > 0",
                        "",
                        "critical",
                        "The audit of Redis has {{ $value }} errors: GET /audit tells them"),
                new Alert(
                        "RedisUndeclaredKeys",
                        "hotstate_audit_undeclared_keys > 0",
                        "",
                        "warning",
                        "{{ $value }} keys belong to no declared family")));
        schema.families().forEach(family -> families.add(growing(family)));
        group(out, "redis-families", families);
        return out.toString();
    }

    /** What is kept should hardly grow from one day to the next; what expires should be the same as yesterday. */
    private static Alert growing(Family family) {
        String metric = "hotstate_audit_family_bytes{family=" + label(family.name()) + "}";
        boolean stays = family.lifetime().keeps();
        return new Alert(
                "RedisFamilyGrows",
                metric + " > " + (stays ? "1.5" : "2") + " * (" + metric + " offset 1d) and " + metric + " > "
                        + NOTICEABLE,
                "1h",
                "warning",
                "The family {{ $labels.family }} takes {{ $value | humanize1024 }}B, far more than a day ago",
                family.name());
    }

    private static void group(StringBuilder out, String name, List<Alert> alerts) {
        out.append("  - name: ").append(Yaml.quoted(name)).append("\n    rules:\n");
        for (Alert alert : alerts) {
            out.append("      - alert: ").append(alert.name()).append('\n');
            out.append("        expr: ").append(Yaml.quoted(alert.expr())).append('\n');
            if (!alert.since().isEmpty()) {
                out.append("        for: ").append(alert.since()).append('\n');
            }
            out.append("        labels: {severity: ").append(alert.severity());
            out.append(alert.family().isEmpty() ? "" : ", family: " + Yaml.quoted(alert.family()));
            out.append("}\n");
            out.append("        annotations: {summary: ")
                    .append(Yaml.quoted(alert.summary()))
                    .append("}\n");
        }
    }

    /** As PromQL quotes a label's value, which is as Go does. */
    private static String label(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
