package dev.hotstate.audit.checks;

import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import dev.hotstate.audit.scan.SeenFamily;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state and the settings of nodes. */
final class ServerChecks {
    private static final double HIGH = 0.8;
    private static final double MISSED = 0.5;
    private static final long READS = 100;

    /** Commands that find nothing as a matter of course: whoever waits for work asks them again and again. */
    private static final Set<String> LOOKS = Set.of(
            "exists",
            "type",
            "ttl",
            "pttl",
            "llen",
            "lrange",
            "lindex",
            "scard",
            "smembers",
            "sismember",
            "srandmember",
            "zcard",
            "zcount",
            "zrange",
            "zrangebyscore",
            "zrevrange",
            "zrevrangebyscore",
            "zscore",
            "xlen",
            "xrange",
            "xrevrange",
            "xread",
            "hlen",
            "geosearch");

    private ServerChecks() {}

    static Stream<Finding> findings(Grounds grounds) {
        return Stream.concat(
                grounds.facts().stream().flatMap(node -> ofNode(grounds, node)),
                Stream.of(misses(grounds), versions(grounds.facts())).flatMap(Optional::stream));
    }

    private static Stream<Finding> ofNode(Grounds grounds, NodeFacts node) {
        return Stream.of(
                        memory(node),
                        unlimited(node),
                        clients(node),
                        evicted(node),
                        eviction(grounds, node),
                        persistence(grounds.schema(), node),
                        failing(node))
                .flatMap(Optional::stream);
    }

    private static Optional<Finding> memory(NodeFacts node) {
        long used = node.number("used_memory");
        long most = node.number("maxmemory");
        if (most == 0 || used < HIGH * most) {
            return Optional.empty();
        }
        return Optional.of(Draw.of(Rules.MEMORY_HIGH)
                .on(node.member().address())
                .number("used", used)
                .number("maxmemory", most)
                .says(node.member().address() + " uses " + Draw.bytes(used) + ", " + Draw.percent((double) used / most)
                        + " of its " + Draw.bytes(most)));
    }

    private static Optional<Finding> unlimited(NodeFacts node) {
        return node.info().containsKey("maxmemory") && node.number("maxmemory") == 0
                ? Optional.of(Draw.of(Rules.MEMORY_UNLIMITED)
                        .on(node.member().address())
                        .number("used", node.number("used_memory"))
                        .says(node.member().address() + " has no maxmemory and uses "
                                + Draw.bytes(node.number("used_memory"))))
                : Optional.empty();
    }

    private static Optional<Finding> clients(NodeFacts node) {
        long most = number(node.setting("maxclients"));
        long now = node.number("connected_clients");
        if (most == 0 || now < HIGH * most) {
            return Optional.empty();
        }
        return Optional.of(Draw.of(Rules.CLIENTS_HIGH)
                .on(node.member().address())
                .number("clients", now)
                .number("maxclients", most)
                .says(String.format(
                        Locale.ROOT,
                        "%s has %,d connections, %s of its %,d",
                        node.member().address(),
                        now,
                        Draw.percent((double) now / most),
                        most)));
    }

    private static Optional<Finding> evicted(NodeFacts node) {
        long evicted = node.number("evicted_keys") + (long) node.growth("evicted_keys");
        return evicted == 0
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.EVICTED)
                        .on(node.member().address())
                        .number("evicted", evicted)
                        .number("between", node.growth("evicted_keys"))
                        .says(node.member().address() + " has evicted " + Draw.count(evicted, "key")
                                + " since its start, " + Draw.count((long) node.growth("evicted_keys"), "key")
                                + " of them while it was watched"));
    }

    private static Optional<Finding> eviction(Grounds grounds, NodeFacts node) {
        String policy = node.setting("maxmemory-policy");
        if (policy.isEmpty()) {
            return Optional.empty();
        }
        String wrong = grounds.schema() == null
                ? unfitFor(grounds.seen().families(), policy)
                : unfitFor(grounds.schema(), policy);
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.EVICTION_UNFIT)
                        .as(grounds.schema() == null ? Severity.WARNING : Rules.EVICTION_UNFIT.severity())
                        .on(node.member().address())
                        .says(node.member().address() + " has the policy " + policy + ", but " + wrong));
    }

    private static String unfitFor(Schema schema, String policy) {
        List<String> staying = schema.families().stream()
                .filter(family -> family.lifetime().keeps())
                .map(Family::name)
                .toList();
        return policy.startsWith("allkeys-") && !staying.isEmpty()
                ? Draw.count(staying.size(), "declared family").replace("familys", "families") + " must stay: "
                        + staying.stream().limit(5).collect(Collectors.joining(", "))
                        + (staying.size() > 5 ? ", …" : "")
                : "";
    }

    private static String unfitFor(List<SeenFamily> families, String policy) {
        long with = families.stream()
                .mapToLong(family -> family.look().withTtl().count())
                .sum();
        long without = families.stream()
                .mapToLong(family -> family.look().withoutTtl().count())
                .sum();
        if (policy.equals("noeviction") && with > 0 && without == 0) {
            return "every key that was looked at expires: when memory is full, a cache refuses writes";
        }
        return policy.startsWith("volatile-") && with == 0 && without > 0
                ? "no key that was looked at has a TTL: nothing can be evicted, and writes are refused"
                : "";
    }

    private static Optional<Finding> persistence(@Nullable Schema schema, NodeFacts node) {
        if (schema == null
                || !node.config().containsKey("appendonly") && !node.info().containsKey("aof_enabled")) {
            return Optional.empty();
        }
        boolean aof = "yes".equals(node.config().get("appendonly")) || node.number("aof_enabled") == 1;
        // INFO tells of the AOF, and only CONFIG of snapshots: what may not be asked is not held against it.
        boolean rdb = !node.config().getOrDefault("save", "unknown").isEmpty();
        List<String> unsafe = schema.families().stream()
                .filter(family -> family.persistence() != null)
                .filter(family -> switch (Objects.requireNonNull(family.persistence())) {
                    case AOF -> !aof;
                    case RDB -> !rdb;
                    case ANY -> !aof && !rdb;
                })
                .map(Family::name)
                .toList();
        return unsafe.isEmpty()
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.PERSISTENCE_OFF)
                        .on(node.member().address())
                        .number("families", unsafe.size())
                        .says(node.member().address() + " has appendonly " + (aof ? "yes" : "no") + " and "
                                + (rdb ? "snapshots" : "no snapshots") + ", but these families declare persistence: "
                                + unsafe.stream().limit(5).collect(Collectors.joining(", "))
                                + (unsafe.size() > 5 ? ", …" : "")));
    }

    private static Optional<Finding> failing(NodeFacts node) {
        Set<String> failed = new TreeSet<>();
        for (String status : List.of("rdb_last_bgsave_status", "aof_last_write_status", "aof_last_bgrewrite_status")) {
            if ("err".equals(node.info().get(status))) {
                failed.add(status);
            }
        }
        return failed.isEmpty()
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.PERSISTENCE_FAILING)
                        .on(node.member().address())
                        .says(node.member().address() + " says err for " + String.join(" and ", failed)));
    }

    /** Over all nodes: what one misses another may hold. */
    private static Optional<Finding> misses(Grounds grounds) {
        double hits = grounds.facts().stream()
                .mapToDouble(node -> node.growth("keyspace_hits"))
                .sum();
        double misses = grounds.facts().stream()
                .mapToDouble(node -> node.growth("keyspace_misses"))
                .sum();
        double looks = grounds.facts().stream().mapToDouble(ServerChecks::looks).sum();
        double reads = hits + misses - looks;
        if (reads < READS || misses - looks <= MISSED * reads) {
            return Optional.empty();
        }
        return Optional.of(Draw.of(Rules.MISSES_HIGH)
                .number("misses", misses)
                .number("reads", hits + misses)
                .says(String.format(
                        Locale.ROOT,
                        "%,.0f of %,.0f reads missed while it was watched, %s",
                        misses,
                        hits + misses,
                        Draw.percent(misses / (hits + misses)))));
    }

    /** How often somebody looked whether there is anything in a collection, or a key at all. */
    private static double looks(NodeFacts node) {
        return LOOKS.stream()
                .mapToDouble(command -> node.calls(command).between())
                .sum();
    }

    static Optional<Finding> versions(List<NodeFacts> nodes) {
        Map<String, String> versions = new TreeMap<>();
        nodes.forEach(node -> {
            if (node.info().containsKey("redis_version")) {
                versions.put(node.member().address(), node.info().getOrDefault("redis_version", ""));
            }
        });
        return new TreeSet<>(versions.values()).size() < 2
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.VERSION_DRIFT)
                        .says(versions.entrySet().stream()
                                .map(entry -> entry.getKey() + " is " + entry.getValue())
                                .collect(Collectors.joining(", "))));
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException none) {
            return 0;
        }
    }
}
