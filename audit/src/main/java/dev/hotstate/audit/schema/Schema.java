package dev.hotstate.audit.schema;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The declared design of a keyspace.
 *
 * @param prefix what stands before every key and a colon, or nothing; keys outside of it belong to others
 * @param naming the convention that names must follow; null: what the patterns say is all there is to say
 * @param families in the order of the file; where two fit a key, the more literal one is its family
 * @param users who owns what; null: a user is called as the owner whose families it uses
 */
public record Schema(String prefix, @Nullable Naming naming, List<Family> families, List<User> users) {
    /** The version of the format, which the file names. */
    public static final int VERSION = 1;

    /**
     * A user of Redis that serves some owners.
     *
     * @param name as in {@code ACL SETUSER}
     * @param owners whose families it reaches
     * @param commands what it needs beside the commands of these families
     */
    public record User(String name, List<String> owners, List<String> commands) {
        public User {
            if (name.isBlank()) {
                throw new IllegalArgumentException("name must not be blank");
            }
            owners = List.copyOf(owners);
            commands = List.copyOf(commands);
        }
    }

    public Schema {
        families = List.copyOf(families);
        users = List.copyOf(users);
        Set<String> names = new HashSet<>();
        for (Family family : families) {
            if (!names.add(family.name())) {
                throw new IllegalArgumentException("families: the name \"" + family.name() + "\" is there twice");
            }
        }
    }

    public static Schema of(String prefix, List<Family> families) {
        return new Schema(prefix, null, families, List.of());
    }

    public Optional<Family> family(String name) {
        return families.stream().filter(family -> family.name().equals(name)).findFirst();
    }

    /** A family's whole pattern, as a key has it. */
    public String wholePattern(Family family) {
        return prefix.isEmpty() ? family.pattern() : prefix + ":" + family.pattern();
    }
}
