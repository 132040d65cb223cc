package dev.hotstate.audit.checks;

import dev.hotstate.audit.facts.AclUser;
import dev.hotstate.audit.generate.TypeCommands;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.Type;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a user's rules allow, and what its families need. */
final class Rights {
    /** Dangerous commands and the categories in which rules may grant or take them. */
    static final Map<String, Set<String>> DANGEROUS = new TreeMap<>(Map.ofEntries(
            Map.entry("acl", Set.of("admin", "dangerous", "slow")),
            Map.entry("config", Set.of("admin", "dangerous", "slow")),
            Map.entry("debug", Set.of("admin", "dangerous", "slow")),
            Map.entry("flushall", Set.of("keyspace", "write", "dangerous", "slow")),
            Map.entry("flushdb", Set.of("keyspace", "write", "dangerous", "slow")),
            Map.entry("keys", Set.of("keyspace", "read", "dangerous", "slow")),
            Map.entry("migrate", Set.of("keyspace", "write", "dangerous", "slow")),
            Map.entry("module", Set.of("admin", "dangerous", "slow")),
            Map.entry("replicaof", Set.of("admin", "dangerous", "slow")),
            Map.entry("shutdown", Set.of("admin", "dangerous", "slow")),
            Map.entry("swapdb", Set.of("keyspace", "write", "dangerous", "fast"))));

    private static final Map<String, Set<String>> PLAIN =
            Map.of("get", Set.of("read", "string", "fast"), "set", Set.of("write", "string", "slow"));

    /** Of dangerous commands, the parts that only tell something. */
    private static final Set<String> TELLING = Set.of(
            "acl|cat",
            "acl|dryrun",
            "acl|genpass",
            "acl|getuser",
            "acl|help",
            "acl|list",
            "acl|log",
            "acl|users",
            "acl|whoami",
            "config|get",
            "config|help",
            "debug|help",
            "module|help",
            "module|list");

    /** What a client sends beside its commands. */
    private static final Set<String> CONNECTION = Set.of(
            "asking",
            "auth",
            "client",
            "cluster",
            "command",
            "discard",
            "echo",
            "eval",
            "evalsha",
            "exec",
            "hello",
            "info",
            "multi",
            "ping",
            "quit",
            "readonly",
            "readwrite",
            "reset",
            "script",
            "select",
            "time",
            "unwatch",
            "watch");

    private Rights() {}

    static boolean may(AclUser user, String command) {
        return user.selectors().stream().anyMatch(selector -> may(selector, command));
    }

    /** Rules apply one after the other; the last that speaks of the command decides. */
    private static boolean may(AclUser.Selector selector, String command) {
        Set<String> categories = DANGEROUS.getOrDefault(command, PLAIN.getOrDefault(command, Set.of()));
        boolean may = false;
        for (String rule : selector.commands()) {
            String what = rule.substring(1).toLowerCase(Locale.ROOT);
            boolean all = what.equals("@all");
            boolean category = what.startsWith("@") && categories.contains(what.substring(1));
            if (all || category || what.equals(command)) {
                may = rule.startsWith("+");
            } else if (rule.startsWith("+") && what.startsWith(command + "|") && !TELLING.contains(what)) {
                may = true;
            }
        }
        return may;
    }

    /** Whose families a user is for: as the schema says, or by its name, alone or behind a dash. */
    static List<String> owners(Schema schema, String user) {
        for (Schema.User declared : schema.users()) {
            if (declared.name().equals(user)) {
                return declared.owners();
            }
        }
        return schema.families().stream()
                .map(Family::owner)
                .distinct()
                .filter(owner -> !owner.isEmpty() && (user.equals(owner) || user.endsWith("-" + owner)))
                .toList();
    }

    private static boolean needsAnything(Family family) {
        return family.acl().isEmpty() && (family.type() == Type.ANY || family.type() == Type.OTHER);
    }

    /** Redis tells rules that it was given one by one as a category without some. */
    private static Set<String> needed(Family family) {
        if (!family.acl().isEmpty()) {
            return Set.copyOf(family.acl());
        }
        Set<String> commands = new TreeSet<>(TypeCommands.of(family.type()));
        commands.add("@transaction");
        commands.addAll(
                family.type() == Type.ZSET
                        ? List.of("@sortedset", "@geo")
                        : List.of("@" + family.type().word()));
        return commands;
    }

    /** Patterns of keys that go beyond the families of these owners, and of those that nobody owns. */
    static List<String> keysBeyond(Schema schema, List<String> owners, AclUser user) {
        List<String> needed = schema.families().stream()
                .filter(family -> family.owner().isEmpty() || owners.contains(family.owner()))
                .map(family -> schema.prefix().isEmpty() ? family.glob() : schema.prefix() + ":" + family.glob())
                .toList();
        return user.keys().stream()
                .filter(pattern -> needed.stream().noneMatch(glob -> Glob.covers(glob, pattern)))
                .toList();
    }

    /** Commands beyond those that the families declare or their types need; nothing where one may be of any type. */
    static List<String> commandsBeyond(Schema schema, List<String> owners, AclUser user) {
        List<Family> families = schema.families().stream()
                .filter(family -> owners.contains(family.owner()))
                .toList();
        if (user.hasAllCommands()) {
            return List.of("+@all");
        }
        if (families.isEmpty() || families.stream().anyMatch(Rights::needsAnything)) {
            return List.of();
        }
        Set<String> needed = families.stream()
                .flatMap(family -> needed(family).stream())
                .map(command -> command.replaceFirst("^\\+", "").toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        schema.users().stream()
                .filter(declared -> declared.name().equals(user.name()))
                .forEach(declared -> declared.commands()
                        .forEach(command ->
                                needed.add(command.replaceFirst("^\\+", "").toLowerCase(Locale.ROOT))));
        return user.commands().stream()
                .filter(rule -> rule.startsWith("+"))
                .filter(rule -> {
                    String what = rule.substring(1).toLowerCase(Locale.ROOT);
                    String first = what.split("\\|")[0];
                    return !needed.contains(what) && !needed.contains(first) && !CONNECTION.contains(first);
                })
                .toList();
    }
}
