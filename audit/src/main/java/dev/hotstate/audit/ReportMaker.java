package dev.hotstate.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.hotstate.audit.facts.Fleet;
import dev.hotstate.audit.facts.Info;
import dev.hotstate.audit.facts.Member;
import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.Cost;
import dev.hotstate.audit.report.FamilyReport;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Memory;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.report.Report.NotLookedAt;
import dev.hotstate.audit.report.Server;
import dev.hotstate.audit.scan.FamilyLook;
import dev.hotstate.audit.scan.Seen;
import dev.hotstate.audit.scan.SeenFamily;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Reply;
import dev.hotstate.audit.wire.UnansweredException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Puts what was seen into the report's form. */
final class ReportMaker {
    private final AuditTarget target;
    private final AuditOptions options;
    private final Fleet fleet;
    private final List<NodeFacts> facts;
    private final Seen seen;

    ReportMaker(AuditTarget target, AuditOptions options, Fleet fleet, List<NodeFacts> facts, Seen seen) {
        this.target = target;
        this.options = options;
        this.fleet = fleet;
        this.facts = facts;
        this.seen = seen;
    }

    Report make(Instant startedAt, long nanos, List<Finding> findings, List<NotLookedAt> refused) {
        List<FamilyReport> families = seen.families().stream()
                .filter(family -> family.declared() != null || family.tally().count() > 0)
                .map(ReportMaker::family)
                .toList();
        List<NotLookedAt> notLookedAt = new ArrayList<>(refused);
        notLookedAt.addAll(seen.notLookedAt());
        notLookedAt.addAll(seen.unread());
        notLookedAt.addAll(otherDatabases());
        Map<String, Map<String, String>> configuration = new TreeMap<>();
        facts.forEach(node -> configuration.put(node.member().address(), node.config()));
        return new Report(
                server(),
                startedAt,
                seen.keys(),
                seen.complete(),
                new Report.Sampling(options.full(), options.sample(), options.seed()),
                families,
                findings,
                memory(families),
                cost(nanos),
                notLookedAt,
                Activities.of(facts),
                configuration);
    }

    private Server server() {
        Optional<NodeFacts> told = facts.stream()
                .filter(node -> node.info().containsKey("redis_version"))
                .findFirst();
        String product =
                told.filter(node -> node.info().containsKey("valkey_version")).isPresent() ? "valkey" : "redis";
        String version = told.map(node ->
                        node.info().getOrDefault("valkey_version", node.info().getOrDefault("redis_version", "")))
                .orElse("");
        return new Server(
                target.address().toString(),
                fleet.kind(),
                product,
                version,
                fleet.members().stream().map(this::node).toList());
    }

    private Server.Node node(Member member) {
        Optional<NodeFacts> told =
                facts.stream().filter(node -> node.member().equals(member)).findFirst();
        Map<String, String> info = told.map(NodeFacts::info).orElse(Map.of());
        Map<String, String> keyspace =
                Info.parts(info.getOrDefault("db" + member.endpoint().database(), ""));
        return new Server.Node(
                member.address(),
                member.replica() ? "replica" : "master",
                member.isUp() && !seen.lost().containsKey(member.address()),
                seen.keysOf().containsKey(member.address()),
                member.master(),
                member.slots(),
                info.getOrDefault("redis_version", ""),
                seen.keysOf().getOrDefault(member.address(), Info.number(keyspace, "keys")),
                Info.number(info, "used_memory"),
                Info.number(info, "maxmemory"),
                Info.number(info, "connected_clients"),
                told.map(node -> whole(node.setting("maxclients"))).orElse(0L),
                told.map(node -> node.seconds() == 0 ? 0 : node.growth("total_commands_processed") / node.seconds())
                        .orElse(0.0));
    }

    private static FamilyReport family(SeenFamily family) {
        FamilyLook look = family.look();
        Family declared = family.declared();
        long keys = family.tally().count();
        Map<String, Long> types = new TreeMap<>();
        look.types().forEach((type, noted) -> types.put(type, noted.count()));
        boolean all = look.looked() >= keys;
        return new FamilyReport(
                family.name(),
                declared != null,
                family.pattern(),
                declared != null ? declared.type().word() : seenType(types),
                declared == null ? "" : declared.owner(),
                declared == null ? "" : declared.lifetime().toString(),
                keys,
                Math.round(look.memory().mean() * keys),
                all ? 0 : Math.round(look.memory().plusMinus(keys)),
                look.looked(),
                types,
                look.withTtl().count() == 0
                        ? null
                        : new FamilyReport.Ttl(
                                (double) look.withTtl().count()
                                        / (look.withTtl().count()
                                                + look.withoutTtl().count()),
                                look.ttlMin(),
                                look.ttlMedian(),
                                look.ttlMax()),
                look.largestBytes() < 0 ? null : new FamilyReport.Largest(look.largestKey(), look.largestBytes()),
                look.elements(),
                family.tally().examples());
    }

    private static String seenType(Map<String, Long> types) {
        return types.isEmpty()
                ? "unknown"
                : types.size() == 1 ? types.keySet().iterator().next() : "mixed";
    }

    private Memory memory(List<FamilyReport> families) {
        List<NodeFacts> read = facts.stream()
                .filter(node -> seen.keysOf().containsKey(node.member().address()))
                .toList();
        return Memories.of(read, families, seen);
    }

    private Cost cost(long nanos) {
        long commands = 0;
        long sent = 0;
        long received = 0;
        long slowest = 0;
        for (Member member : fleet.members()) {
            Connection node = member.connection();
            if (node != null) {
                commands += node.commands();
                sent += node.bytesSent();
                received += node.bytesReceived();
                slowest = Math.max(slowest, node.slowestNanos());
            }
        }
        return new Cost(
                nanos / 1_000_000,
                commands,
                sent,
                received,
                cpuMillis(),
                seen.keysPerSecond(),
                seen.batch(),
                slowest / 1e6);
    }

    /** What the nodes that were read have worked since the last look at them. */
    private long cpuMillis() {
        double millis = 0;
        boolean told = false;
        for (NodeFacts node : facts) {
            if (seen.keysOf().containsKey(node.member().address())
                    && node.later().containsKey("used_cpu_user")) {
                try {
                    Map<String, String> now = Info.parse(
                            Objects.requireNonNull(node.member().connection()).call("INFO", "cpu"));
                    millis += 1000 * (cpu(now) - cpu(node.later()));
                    told = true;
                } catch (UnansweredException silent) {
                    // It is told as a finding already.
                }
            }
        }
        return told ? Math.round(Math.max(0, millis)) : -1;
    }

    private static double cpu(Map<String, String> info) {
        return Info.decimal(info, "used_cpu_user") + Info.decimal(info, "used_cpu_sys");
    }

    /** Keys of other databases are not read: a URL names one. */
    private List<NotLookedAt> otherDatabases() {
        List<NotLookedAt> others = new ArrayList<>();
        for (NodeFacts node : facts) {
            node.info().forEach((field, line) -> {
                if (field.matches("db\\d+")
                        && !field.equals("db" + node.member().endpoint().database())
                        && others.stream().noneMatch(one -> one.what().equals("database " + field.substring(2)))) {
                    others.add(new NotLookedAt(
                            "database " + field.substring(2),
                            "it has " + Info.parts(line).getOrDefault("keys", "0")
                                    + " keys; audit it with its number at the end of the URL"));
                }
            });
        }
        return others;
    }

    private static long whole(String text) {
        return new Reply.Text(text.getBytes(US_ASCII)).number();
    }
}
