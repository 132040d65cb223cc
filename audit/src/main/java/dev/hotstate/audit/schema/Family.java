package dev.hotstate.audit.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A declared kind of key.
 *
 * @param name what people call it, once in a schema
 * @param pattern literals and {@code <variables>}; in braces, if any, its hash tag; empty for the key without a name
 * @param owner the service that writes it, or nothing
 * @param variables what may stand in the pattern's places; a place that is not declared takes {@link Variable.Kind#ANY}
 * @param fields of a hash: those that it may have, any if none is named
 * @param typical what a key usually holds
 * @param max what a key may hold at most
 * @param persistence what its data needs of the server; null: nothing
 * @param acl the commands that its owner needs on it; empty: those of its type
 * @param example a name without the prefix, or nothing
 * @param why the reason for its being there, or nothing
 */
public record Family(
        String name,
        String pattern,
        Type type,
        String owner,
        List<Variable> variables,
        List<Field> fields,
        Lifetime lifetime,
        Size typical,
        Size max,
        @Nullable Persistence persistence,
        List<String> acl,
        String example,
        String why) {

    /** What survives a restart of the server. */
    public enum Persistence {
        /** A snapshot or the append-only file. */
        ANY,
        RDB,
        AOF
    }

    public Family {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name must not be blank");
        }
        variables = List.copyOf(variables);
        fields = List.copyOf(fields);
        acl = List.copyOf(acl);
    }

    /** The least that a family needs. */
    public static Family of(String name, String pattern, Type type, Lifetime lifetime) {
        return new Family(
                name, pattern, type, "", List.of(), List.of(), lifetime, Size.NONE, Size.NONE, null, List.of(), "", "");
    }

    /** What Redis hashes to a slot: the text in the pattern's first braces; nothing where it has none. */
    public String tag() {
        int open = pattern.indexOf('{');
        int close = open < 0 ? -1 : pattern.indexOf('}', open + 1);
        return close > open + 1 ? pattern.substring(open, close + 1) : "";
    }

    /** The pattern as a glob for ACL rules: each variable is a {@code *}. */
    public String glob() {
        return Pattern.parse(pattern, variables).glob();
    }
}
