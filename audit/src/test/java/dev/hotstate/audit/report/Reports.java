package dev.hotstate.audit.report;

import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports with known contents. */
final class Reports {
    /** Ends a table, a tag, a code span, a line and a quote; colours a terminal; turns the text around. */
    static final String HOSTILE =
            "a|b`c\u001b[31m\u009b31m<script>alert('x')</script>\"&]]>\r\n# head\u202e\u0000\u007f*_[x](y) ```";

    private Reports() {}

    static Report usual() {
        return of(
                finding("key-undeclared", Severity.ERROR, "other:*", "", "other:1", "other:2"),
                finding("acl-too-wide", Severity.WARNING, null, "default"),
                finding("ttl-drift", Severity.INFO, "session", ""));
    }

    static Report clean() {
        return of();
    }

    /** Every text of it is hostile. */
    static Report hostile() {
        Report usual = usual();
        Finding finding = new Finding(
                Rules.KEY_UNDECLARED.id(),
                Severity.ERROR,
                HOSTILE,
                HOSTILE,
                List.of(HOSTILE),
                HOSTILE,
                Map.of("keys", 1L),
                new Finding.Confidence(400, 20, 0.03, 0.07),
                HOSTILE);
        return new Report(
                new Server(HOSTILE, HOSTILE, HOSTILE, HOSTILE, usual.server().nodes()),
                usual.startedAt(),
                1,
                false,
                usual.sampling(),
                List.of(family(HOSTILE, false)),
                List.of(finding),
                new Memory(100, 60, 5, Map.of(HOSTILE, 40L), 120, 1.2, 0),
                usual.cost(),
                List.of(new Report.NotLookedAt(HOSTILE, HOSTILE)),
                new Activity(
                        2000,
                        1,
                        1,
                        0,
                        0,
                        3,
                        List.of(new Activity.CommandRate(HOSTILE, 5, 1, 2)),
                        List.of(new Activity.SlowEntry(HOSTILE, 1, usual.startedAt(), 12_000, HOSTILE, HOSTILE)),
                        List.of(new Activity.ClientGroup(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 2, List.of(HOSTILE)))),
                Map.of(HOSTILE, Map.of("maxmemory", HOSTILE)));
    }

    static Report of(Finding... findings) {
        Map<String, Long> explained = new LinkedHashMap<>();
        explained.put("keyspace_tables", 2_000L);
        explained.put("client_buffers", 1_000L);
        explained.put("unexplained", -200L);
        return new Report(
                new Server(
                        "redis.example.org:6379",
                        "standalone",
                        "redis",
                        "7.2.4",
                        List.of(new Server.Node(
                                "10.0.0.1:6379",
                                "master",
                                true,
                                true,
                                null,
                                0,
                                "7.2.4",
                                1_200,
                                12_800,
                                0,
                                8,
                                10_000,
                                52.5))),
                Instant.parse("2026-11-16T11:00:00Z"),
                1_200,
                true,
                new Report.Sampling(false, 400, 1),
                List.of(family("session", true), family("other:*", false)),
                List.of(findings),
                new Memory(12_800, 10_000, 300, explained, 20_000, 1.56, 0),
                new Cost(2_345, 1_234, 40_000, 123_456, 120, 512_345.6, 1_000, 3.4),
                List.of(new Report.NotLookedAt("CONFIG GET", "NOPERM this user has no permissions")),
                new Activity(
                        2_000,
                        10,
                        2,
                        0,
                        1,
                        0.5,
                        List.of(new Activity.CommandRate("get", 1_000, 12.5, 1.8)),
                        List.of(new Activity.SlowEntry(
                                "10.0.0.1:6379", 7, Instant.parse("2026-11-16T10:59:00Z"), 15_300, "KEYS *", "web")),
                        List.of(new Activity.ClientGroup(
                                "web", "default", "10.0.0.9", "lettuce", 5, List.of("get", "set")))),
                Map.of("10.0.0.1:6379", Map.of("maxmemory", "0", "appendonly", "no")));
    }

    static FamilyReport family(String name, boolean declared) {
        return new FamilyReport(
                name,
                declared,
                "prod:api:" + name,
                "hash",
                "api",
                "expires after at most 24h",
                600,
                5_000,
                150,
                400,
                Map.of("hash", 400L),
                new FamilyReport.Ttl(0.5, 1_000, 60_000, 3_600_000),
                new FamilyReport.Largest(name, 2_048),
                12,
                List.of(name));
    }

    static Finding finding(String rule, Severity severity, @Nullable String family, String subject, String... keys) {
        return new Finding(
                rule,
                severity,
                family,
                subject,
                List.of(keys),
                "Twelve of 1,200 keys are so.",
                Map.of("keys", 12L, "share", 0.01),
                severity == Severity.INFO ? new Finding.Confidence(400, 4, 0.004, 0.025) : null,
                "Mend it.");
    }
}
