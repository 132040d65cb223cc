package dev.hotstate.server.http;

import java.util.Optional;

/** Knows tokens and sessions. A {@link Problem} with status 503 says that they cannot be checked now. */
public interface Authenticator {
    /** Whose token this is; empty when it is unknown, expired or revoked. */
    Optional<Caller> byToken(String token);

    /** Whose session this cookie names; empty when it is unknown or ended. */
    Optional<Caller> bySession(String cookie);

    /** Whether any token could be used now. A server does not listen beyond loopback without one. */
    boolean hasTokens();

    /** For a server on loopback without a token store: nobody has a token. */
    static Authenticator none() {
        return new Authenticator() {
            @Override
            public Optional<Caller> byToken(String token) {
                return Optional.empty();
            }

            @Override
            public Optional<Caller> bySession(String cookie) {
                return Optional.empty();
            }

            @Override
            public boolean hasTokens() {
                return false;
            }
        };
    }
}
