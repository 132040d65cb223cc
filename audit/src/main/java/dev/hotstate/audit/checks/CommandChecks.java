package dev.hotstate.audit.checks;

import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What clients send, and who they are. */
final class CommandChecks {
    /** They hold up everybody, whatever they are called with. */
    private static final Set<String> ALWAYS =
            Set.of("keys", "flushall", "flushdb", "save", "debug", "monitor", "swapdb", "shutdown");

    /** They do where they are called on much. */
    private static final Set<String> ON_MUCH = Set.of(
            "smembers",
            "hgetall",
            "hkeys",
            "hvals",
            "lrange",
            "zrange",
            "sort",
            "sunion",
            "sinter",
            "sdiff",
            "zunionstore",
            "zinterstore",
            "sunionstore",
            "sinterstore",
            "del",
            "eval",
            "evalsha",
            "fcall");

    private static final double LONG_MICROS = 10_000;
    private static final double SLOW_A_MINUTE = 10;

    private CommandChecks() {}

    static Stream<Finding> findings(Grounds grounds) {
        return Stream.concat(
                grounds.facts().stream().flatMap(CommandChecks::blocking),
                grounds.facts().stream().flatMap(node -> slow(node).stream()));
    }

    private static Stream<Finding> blocking(NodeFacts node) {
        return node.allCalls().stream().flatMap(calls -> blocking(node, calls).stream());
    }

    private static Optional<Finding> blocking(NodeFacts node, NodeFacts.Calls calls) {
        String command = calls.command().toLowerCase(Locale.ROOT);
        String first = command.split("\\|")[0];
        boolean always = ALWAYS.contains(first);
        boolean long_ = ON_MUCH.contains(first) && calls.microsPerCall() >= LONG_MICROS;
        if (!always && !long_ || calls.total() == 0) {
            return Optional.empty();
        }
        String who = who(node, first);
        double rate = node.seconds() == 0 ? 0 : calls.between() / node.seconds();
        boolean now = calls.between() > 0;
        if (!now && !first.equals("keys") && !long_) {
            return Optional.empty();
        }
        String evidence = String.format(
                Locale.ROOT,
                "%s on %s: %,d calls since its statistics began, %s each on average, %,d while it was watched (%.1f a second)%s",
                command.toUpperCase(Locale.ROOT),
                node.member().address(),
                calls.total(),
                micros(calls.microsPerCall()),
                calls.between(),
                rate,
                who.isEmpty() ? "" : "; sent by " + who);
        return Optional.of(Draw.of(Rules.COMMAND_BLOCKING)
                .as(now ? Severity.ERROR : Severity.WARNING)
                .on(command + " on " + node.member().address())
                .number("calls", calls.total())
                .number("between", calls.between())
                .number("micros_per_call", calls.microsPerCall())
                .says(evidence));
    }

    /** Connections whose last command it was, and those that the slow log remembers. */
    private static String who(NodeFacts node, String command) {
        Stream<String> connected = node.clients().stream()
                .filter(client -> client.field("cmd").split("\\|")[0].equals(command))
                .map(client -> named(client.field("name"), host(client.field("addr")), client.field("user")));
        Stream<String> logged = node.slow().stream()
                .filter(entry ->
                        !entry.words().isEmpty() && entry.words().getFirst().equalsIgnoreCase(command))
                .map(entry -> named(entry.name(), host(entry.client()), ""));
        return Stream.concat(connected, logged).distinct().sorted().limit(5).collect(Collectors.joining(", "));
    }

    private static String named(String name, String host, String user) {
        return (name.isEmpty() ? "" : name + " at ") + host + (user.isEmpty() ? "" : " as " + user);
    }

    private static String host(String address) {
        int colon = address.lastIndexOf(':');
        return colon < 0 ? address : address.substring(0, colon);
    }

    private static Optional<Finding> slow(NodeFacts node) {
        List<NodeFacts.SlowCommand> slow = node.slow();
        if (slow.isEmpty()) {
            return Optional.empty();
        }
        long lastMinute =
                slow.stream().filter(entry -> node.now() - entry.at() < 60).count();
        double rate = node.seconds() == 0 ? 0 : node.slowBetween() * 60 / node.seconds();
        double most = Math.max(lastMinute, node.slowBetween() > 1 ? rate : 0);
        if (most <= SLOW_A_MINUTE) {
            return Optional.empty();
        }
        String worst = slow.stream()
                .collect(Collectors.groupingBy(
                        entry -> entry.words().isEmpty()
                                ? "?"
                                : entry.words().getFirst().toUpperCase(Locale.ROOT),
                        Collectors.counting()))
                .entrySet()
                .stream()
                .sorted((one, other) -> other.getValue().equals(one.getValue())
                        ? one.getKey().compareTo(other.getKey())
                        : Long.compare(other.getValue(), one.getValue()))
                .limit(5)
                .map(entry -> entry.getKey() + " " + entry.getValue() + "×")
                .collect(Collectors.joining(", "));
        return Optional.of(Draw.of(Rules.SLOWLOG_BUSY)
                .on(node.member().address())
                .number("last_minute", lastMinute)
                .number("between", node.slowBetween())
                .says(String.format(
                        Locale.ROOT,
                        "%s logged %,d slow commands in its last minute and %,d while it was watched: %s",
                        node.member().address(),
                        lastMinute,
                        node.slowBetween(),
                        worst)));
    }

    private static String micros(double micros) {
        return micros < 1000
                ? String.format(Locale.ROOT, "%.0f µs", micros)
                : String.format(Locale.ROOT, "%.1f ms", micros / 1000);
    }
}
