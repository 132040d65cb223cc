package dev.hotstate.audit;

import dev.hotstate.audit.checks.Checks;
import dev.hotstate.audit.checks.Grounds;
import dev.hotstate.audit.facts.FactsReader;
import dev.hotstate.audit.facts.Fleet;
import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.scan.Ask;
import dev.hotstate.audit.scan.KeyspaceScan;
import dev.hotstate.audit.scan.ScanOptions;
import dev.hotstate.audit.scan.Seen;
import dev.hotstate.audit.scan.Sources;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds a Redis against a schema and a checklist. It only reads, asks nothing that takes long, and makes do with what its
 * user may ask: what it could not look at stands in the report. One audit takes one connection to each node.
 */
public final class Auditor {
    /** A node that has not answered for so long is taken for dead. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final List<String> OF_THE_SERVER = List.of(
            "PING",
            "SELECT",
            "READONLY",
            "INFO",
            "TIME",
            "DBSIZE",
            "SCAN",
            "CLIENT SETNAME",
            "CLIENT LIST",
            "CONFIG GET",
            "ACL LIST",
            "ACL LOG",
            "SLOWLOG GET",
            "CLUSTER NODES");

    private final InstantSource clock;

    /** @param clock for the time in the report's head, and nothing else */
    public Auditor(InstantSource clock) {
        this.clock = clock;
    }

    /** The ACL rule of a user that can make a whole audit and nothing else, for an operator to fill in its password. */
    public static String aclRule() {
        return "ACL SETUSER hotstate-audit reset on >CHANGE-ME ~* -@all "
                + Stream.concat(OF_THE_SERVER.stream(), Ask.commands().stream())
                        .map(command -> "+" + command.toLowerCase(Locale.ROOT).replace(' ', '|'))
                        .collect(Collectors.joining(" "));
    }

    /**
     * @param progress told from this thread, some times a second; may stop the audit, which then reports what it has
     * @throws dev.hotstate.audit.wire.UnansweredException if no node answers, or lets us in
     */
    public Report audit(AuditTarget target, AuditOptions options, Progress progress) throws InterruptedException {
        Instant startedAt = clock.instant();
        long began = System.nanoTime();
        try (Fleet fleet = Fleet.find(target.address(), PATIENCE)) {
            FactsReader reader = new FactsReader();
            List<NodeFacts> facts = reader.read(fleet.members(), options.watch(), time -> {
                boolean goesOn = progress.at(new Progress.Step("watching", 0, 0, 0, null));
                Thread.sleep(goesOn ? time : Duration.ZERO);
                return goesOn;
            });
            Sources sources = new Readable(fleet, facts, reader.lost()).sources(target.replicas());
            Seen seen = new KeyspaceScan(scan(target, options, fleet, facts), sources, told(progress)).run();
            Map<String, String> lost = new TreeMap<>(seen.lost());
            reader.lost().forEach((member, why) -> lost.put(member.address(), why));
            List<Finding> findings = Checks.findings(
                    new Grounds(target.address(), options.schema(), fleet, facts, seen, lost, options.previous()));
            return new ReportMaker(target, options, fleet, facts, seen)
                    .make(startedAt, System.nanoTime() - began, findings, reader.notLookedAt());
        }
    }

    static ScanOptions scan(AuditTarget target, AuditOptions options, Fleet fleet, List<NodeFacts> facts) {
        boolean frequencies =
                facts.stream().anyMatch(node -> node.setting("maxmemory-policy").endsWith("lfu"));
        return new ScanOptions(
                target.address() + "/" + fleet.members().getFirst().endpoint().database(),
                options.schema(),
                options.full(),
                options.sample(),
                options.seed(),
                options.latency(),
                fleet.isCluster(),
                frequencies,
                options.resume());
    }

    static ScanOptions.Watcher told(Progress progress) {
        return (phase, done, total, perSecond) -> {
            Duration left = total > done && perSecond > 0
                    ? Duration.ofMillis((long) ((total - done) / perSecond * 1000))
                    : null;
            return progress.at(new Progress.Step(phase, done, Math.max(total, done), perSecond, left));
        };
    }
}
