package dev.hotstate.server.auth;

import dev.hotstate.server.http.Caller;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The hash of a token or of a session, and whose it is.
 *
 * @param tokenId the token itself, or the one the session was opened with
 */
record Credential(
        byte[] hash,
        boolean session,
        String tokenId,
        Caller caller,
        @Nullable Instant expiresAt) {
    boolean isValidAt(Instant now) {
        return expiresAt == null || now.isBefore(expiresAt);
    }
}
