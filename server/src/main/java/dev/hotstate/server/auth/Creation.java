package dev.hotstate.server.auth;

/** What became of the wish for a token. */
public sealed interface Creation {
    /** It is there. The secret is shown this once: it is kept nowhere. */
    record Created(Token token, String secret) implements Creation {}

    /** Another token has that name. */
    record NameTaken() implements Creation {}
}
