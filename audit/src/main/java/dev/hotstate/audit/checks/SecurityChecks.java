package dev.hotstate.audit.checks;

import dev.hotstate.audit.facts.AclUser;
import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.KeyName;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import dev.hotstate.audit.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who may do what, and who can listen. */
final class SecurityChecks {
    private SecurityChecks() {}

    static Stream<Finding> findings(Grounds grounds) {
        return Stream.of(
                        tls(grounds).stream(),
                        open(grounds).stream(),
                        users(grounds).values().stream().filter(AclUser::on).flatMap(user -> ofUser(grounds, user)),
                        refused(grounds))
                .flatMap(found -> found);
    }

    private static Optional<Finding> tls(Grounds grounds) {
        if (grounds.address().isTls()) {
            return Optional.empty();
        }
        if (grounds.address().isPlaintextBeyondLoopback()) {
            return Optional.of(Draw.of(Rules.TLS_OFF)
                    .says("the audit itself reached " + grounds.address() + " in the clear, beyond this machine"));
        }
        List<String> listening = grounds.facts().stream()
                .filter(node -> !"0".equals(node.config().getOrDefault("port", "0")) && listensBeyondLoopback(node))
                .map(node -> node.member().address())
                .toList();
        return listening.isEmpty()
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.TLS_OFF)
                        .as(Severity.WARNING)
                        .says(String.join(", ", listening) + " listens beyond this machine without TLS"));
    }

    /** With protected-mode and an open default user, Redis answers only loopback, wherever it listens. */
    private static boolean listensBeyondLoopback(NodeFacts node) {
        boolean open =
                node.users().stream().anyMatch(user -> user.name().equals("default") && user.on() && user.open());
        if ("yes".equals(node.config().get("protected-mode")) && open) {
            return false;
        }
        String bind = node.config().getOrDefault("bind", "");
        return Stream.of(bind.split(" "))
                .map(address -> address.startsWith("-") ? address.substring(1) : address)
                .anyMatch(address ->
                        !address.startsWith("127.") && !address.equals("::1") && !address.equals("localhost"));
    }

    private static Optional<Finding> open(Grounds grounds) {
        List<String> open = grounds.facts().stream()
                .filter(node -> node.users().stream()
                        .anyMatch(user -> user.name().equals("default") && user.on() && user.open()))
                .map(node -> node.member().address())
                .toList();
        return open.isEmpty()
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.DEFAULT_USER_OPEN)
                        .says("the default user is on and needs no password on " + String.join(", ", open)));
    }

    private static Stream<Finding> ofUser(Grounds grounds, AclUser user) {
        return Stream.of(tooWide(grounds, user), unused(grounds, user), dangerous(user))
                .flatMap(Optional::stream);
    }

    private static Optional<Finding> tooWide(Grounds grounds, AclUser user) {
        Schema schema = grounds.schema();
        List<String> wrong = new ArrayList<>();
        List<String> owners = schema == null ? List.of() : Rights.owners(schema, user.name());
        if (schema != null && !owners.isEmpty()) {
            List<String> keys = Rights.keysBeyond(schema, owners, user);
            List<String> commands = Rights.commandsBeyond(schema, owners, user);
            if (!keys.isEmpty()) {
                wrong.add("keys ~" + String.join(" ~", keys));
            }
            if (!commands.isEmpty()) {
                wrong.add("commands " + String.join(" ", commands));
            }
        } else if (user.hasAllCommandsOnAllKeys()) {
            wrong.add("all keys and all commands");
        }
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.ACL_TOO_WIDE)
                        .on(user.name())
                        .says("the user " + KeyName.shown(user.name()) + " may use " + String.join(" and ", wrong)
                                + (owners.isEmpty()
                                        ? ""
                                        : ", which no family of " + String.join(", ", owners) + " needs")));
    }

    private static Optional<Finding> unused(Grounds grounds, AclUser user) {
        Set<String> called = grounds.facts().stream()
                .flatMap(node -> node.allCalls().stream())
                .map(NodeFacts.Calls::command)
                .collect(Collectors.toSet());
        if (called.isEmpty()) {
            return Optional.empty();
        }
        Set<String> never = user.commands().stream()
                .filter(rule -> rule.startsWith("+") && !rule.startsWith("+@"))
                .map(rule -> rule.substring(1))
                .filter(command ->
                        called.stream().noneMatch(one -> one.equals(command) || one.startsWith(command + "|")))
                .collect(Collectors.toCollection(TreeSet::new));
        boolean connected = grounds.facts().stream()
                .flatMap(node -> node.clients().stream())
                .anyMatch(client -> client.field("user").equals(user.name()));
        boolean told = grounds.facts().stream().anyMatch(node -> !node.clients().isEmpty());
        List<String> said = new ArrayList<>();
        if (!never.isEmpty()) {
            said.add("nobody has called " + String.join(", ", never) + " since the statistics began");
        }
        if (told && !connected && !user.name().equals("default")) {
            said.add("no connection is this user");
        }
        return said.isEmpty()
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.ACL_UNUSED)
                        .on(user.name())
                        .number("commands", never.size())
                        .says("of the rights of " + KeyName.shown(user.name()) + ": " + String.join("; ", said)));
    }

    private static Optional<Finding> dangerous(AclUser user) {
        List<String> allowed = Rights.DANGEROUS.keySet().stream()
                .filter(command -> Rights.may(user, command))
                .toList();
        // Who has nothing but such rights is there for them.
        boolean operator = !Rights.may(user, "get") && !Rights.may(user, "set");
        return allowed.isEmpty() || operator
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.COMMAND_DANGEROUS)
                        .on(user.name())
                        .number("commands", allowed.size())
                        .says("the user " + KeyName.shown(user.name()) + " may call "
                                + String.join(", ", allowed).toUpperCase(Locale.ROOT)));
    }

    private static Stream<Finding> refused(Grounds grounds) {
        Map<String, Long> counts = new TreeMap<>();
        grounds.facts().stream()
                .flatMap(node -> node.refusals().stream())
                .forEach(entry -> counts.merge(
                        entry.user() + ": " + entry.reason() + " " + entry.object(), entry.count(), Long::sum));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(20)
                .map(entry -> Draw.of(Rules.ACL_DENIED)
                        .on(entry.getKey())
                        .number("count", entry.getValue())
                        .says("refused " + entry.getValue() + "×: " + entry.getKey()));
    }

    /** One line for each user: nodes should agree, and where they do not, the first one stands for all. */
    private static Map<String, AclUser> users(Grounds grounds) {
        Map<String, AclUser> users = new LinkedHashMap<>();
        grounds.facts().forEach(node -> node.users().forEach(user -> users.putIfAbsent(user.name(), user)));
        return users;
    }
}
