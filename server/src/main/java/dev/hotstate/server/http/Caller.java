package dev.hotstate.server.http;

/**
 * Who is calling.
 *
 * @param name the token's name, for logs and records of who did what
 */
public record Caller(Role role, String name) {
    /** Anyone who reaches a server on loopback that asks for no token: the machine's own user. */
    public static final Caller LOCAL = new Caller(Role.ADMIN, "local");
}
