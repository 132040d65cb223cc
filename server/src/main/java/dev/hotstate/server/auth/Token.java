package dev.hotstate.server.auth;

import dev.hotstate.server.http.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A token as it may be shown: everything but its secret.
 *
 * @param expiresAt null for one that lasts until it is revoked
 * @param lastUsedAt to within a minute or so; null for one that never was
 */
public record Token(
        String id,
        String name,
        Role role,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant lastUsedAt) {}
