package dev.hotstate.server.http;

import java.util.EnumSet;
import java.util.Set;

/** Who may call a route. */
public enum Access {
    /** Anyone, without a token. */
    PUBLIC(Role.ADMIN, Role.OPERATOR, Role.VIEWER, Role.AGENT),
    /** Anyone with a token of any role. */
    SIGNED_IN(Role.ADMIN, Role.OPERATOR, Role.VIEWER, Role.AGENT),
    /** Reads. */
    VIEWER(Role.ADMIN, Role.OPERATOR, Role.VIEWER),
    /** Reads that workers, drivers and applications need too. */
    VIEWER_OR_AGENT(Role.ADMIN, Role.OPERATOR, Role.VIEWER, Role.AGENT),
    /** Writes. */
    OPERATOR(Role.ADMIN, Role.OPERATOR),
    /** Writes that workers, drivers and applications make. */
    OPERATOR_OR_AGENT(Role.ADMIN, Role.OPERATOR, Role.AGENT),
    /** Tokens, and whatever else could give somebody more rights. */
    ADMIN(Role.ADMIN);

    private final Set<Role> roles;

    Access(Role first, Role... others) {
        this.roles = EnumSet.of(first, others);
    }

    boolean admits(Role role) {
        return roles.contains(role);
    }

    /** The least role that is enough, as the API spells it; for documents and refusals. */
    public String text() {
        return switch (this) {
            case PUBLIC -> "public";
            case SIGNED_IN -> "any role";
            case VIEWER -> "viewer";
            case VIEWER_OR_AGENT -> "viewer or agent";
            case OPERATOR -> "operator";
            case OPERATOR_OR_AGENT -> "operator or agent";
            case ADMIN -> "admin";
        };
    }
}
