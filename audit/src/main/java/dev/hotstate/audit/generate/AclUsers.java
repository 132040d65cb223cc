package dev.hotstate.audit.generate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Pattern;
import dev.hotstate.audit.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Users with least privilege, from a schema: each reaches the keys of its owners' families, by the commands that these
 * families name or that their types need, and nothing else. The rules load on Redis 6.2 and later; from 7.2 on clients
 * also introduce themselves by {@code CLIENT SETINFO} and are not troubled by a refusal.
 */
public final class AclUsers {
    /** Stands in the printed rules for the operator to replace. */
    public static final String PASSWORD = "CHANGE-ME";

    /** What stands for the owner where a family names none. */
    private static final String NOBODY = "app";

    private AclUsers() {}

    /** A user of Redis and what it may do. */
    public record User(String name, List<String> keys, List<String> commands) {
        public User {
            keys = List.copyOf(keys);
            commands = List.copyOf(commands);
        }

        /** For the prompt of {@code redis-cli}. */
        public String setUser() {
            return "ACL SETUSER " + name + " reset " + rules();
        }

        /** For a line of an {@code aclfile}, which takes no comments. */
        public String aclFileLine() {
            return "user " + name + " " + rules();
        }

        private String rules() {
            return "on >" + PASSWORD + " resetkeys resetchannels -@all " + prefixed("~", keys) + " "
                    + prefixed("+", commands);
        }

        private static String prefixed(String sign, List<String> words) {
            return words.stream().map(word -> sign + word).collect(Collectors.joining(" "));
        }
    }

    /** Those that the schema names; where it names none, one for each owner. */
    public static List<User> of(Schema schema) {
        List<Schema.User> wanted = schema.users().isEmpty() ? owners(schema) : schema.users();
        return wanted.stream().map(user -> user(schema, user)).toList();
    }

    /** Each as a line for {@code redis-cli}. */
    public static String setUserLines(Schema schema) {
        return of(schema).stream().map(user -> user.setUser() + "\n").collect(Collectors.joining());
    }

    private static List<Schema.User> owners(Schema schema) {
        return schema.families().stream()
                .map(AclUsers::owner)
                .distinct()
                .sorted()
                .map(owner -> new Schema.User(word(owner), List.of(owner), List.of()))
                .toList();
    }

    private static User user(Schema schema, Schema.User wanted) {
        Set<String> keys = new TreeSet<>();
        Set<String> commands = new TreeSet<>(TypeCommands.CONNECTION);
        commands.addAll(wanted.commands());
        for (Family family : schema.families()) {
            if (wanted.owners().contains(owner(family))) {
                keys.add(glob(schema, family));
                commands.addAll(family.acl().isEmpty() ? TypeCommands.of(family.type()) : family.acl());
            }
        }
        // Redis refuses a pattern beside that of all keys.
        List<String> reached = keys.contains("*") ? List.of("*") : new ArrayList<>(keys);
        return new User(word(wanted.name()), reached, new ArrayList<>(commands));
    }

    private static String owner(Family family) {
        return family.owner().isEmpty() ? NOBODY : family.owner();
    }

    private static String glob(Schema schema, Family family) {
        String prefix = schema.prefix().isEmpty() ? "" : schema.prefix() + ":";
        return Pattern.glob(prefix.getBytes(UTF_8)) + family.glob();
    }

    /** A name without blanks, which would end it. */
    private static String word(String name) {
        return name.replaceAll("[^A-Za-z0-9._-]", "-");
    }
}
