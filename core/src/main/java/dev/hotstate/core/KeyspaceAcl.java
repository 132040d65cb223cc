package dev.hotstate.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Least-privilege users for Redis, printed from the declarations: a user reaches the keys of its services' families, by
 * the commands that these services send or call in scripts, and nothing else.
 *
 * <p>Redis checks what a script calls against the user who runs it, so a script's commands are among a user's. A service
 * whose scripts are guarded by an incarnation (or that has none of its own) stands on core: its user gets core's keys and
 * commands too. SCAN, where a user has it, shows the names of all keys of a database; their contents stay closed.
 *
 * <p>The rules load on Redis from 7.0 on, and on Valkey.
 */
public final class KeyspaceAcl {
    /** Stands in the printed rules for the operator to replace. */
    public static final String PASSWORD = "CHANGE-ME";

    /** What a connection sends before and beside its user's calls, standalone and on Cluster. */
    private static final Set<String> CONNECTION = Set.of(
            "hello", "ping", "info", "client|setname", "eval", "evalsha", "asking", "cluster|nodes", "cluster|myid");

    private static final String CORE = CoreKeys.SERVICE.name();

    private final Keyspace keyspace;

    private KeyspaceAcl(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    public static KeyspaceAcl of(Keyspace keyspace) {
        return new KeyspaceAcl(keyspace);
    }

    /**
     * A user of Redis and what it may do.
     *
     * @param owners the services whose families it reaches
     */
    public record User(String name, List<String> owners, List<String> keys, List<String> commands) {
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

    /** The server's own user, for all services together, and one for each service that keeps something, by name. */
    public List<User> users() {
        List<User> users = new ArrayList<>(List.of(server()));
        keyspace.services().stream()
                .filter(service -> !service.families().isEmpty())
                .sorted(Comparator.comparing(Service::name))
                .map(service -> service(service.name()))
                .forEach(users::add);
        return users;
    }

    /** The user of a process that runs every service. */
    public User server() {
        return user("hotstate", keyspace.services());
    }

    /** The user of a process that runs one service, {@code hotstate-<service>}. */
    public User service(String name) {
        Service service = keyspace.services().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no service " + name));
        List<Service> with = keyspace.services().stream()
                .filter(one -> one == service || one.name().equals(CORE) && standsOnCore(service))
                .toList();
        return user("hotstate-" + name, with);
    }

    /** Every user as a line for {@code redis-cli}. */
    public String setUserLines() {
        return users().stream().map(user -> user.setUser() + "\n").collect(Collectors.joining());
    }

    /** Every user as a line of an {@code aclfile}. */
    public String aclFile() {
        return users().stream().map(user -> user.aclFileLine() + "\n").collect(Collectors.joining());
    }

    private User user(String name, Collection<Service> services) {
        Set<String> keys = new TreeSet<>();
        Set<String> commands = new TreeSet<>(CONNECTION);
        for (Service service : services) {
            service.families().forEach(family -> keys.add(keyspace.prefix() + ":" + family.glob()));
            commands.addAll(service.allCommands());
        }
        List<String> owners = services.stream().map(Service::name).sorted().toList();
        return new User(name, owners, List.copyOf(keys), List.copyOf(commands));
    }

    private static boolean standsOnCore(Service service) {
        return service.scripts().isEmpty()
                || service.scripts().stream()
                        .anyMatch(script -> script.replies().contains("REBUILDING"));
    }
}
