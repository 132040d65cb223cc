package dev.hotstate.server.auth;

import dev.hotstate.server.http.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A token to be made. */
public record NewToken(String name, Role role, @Nullable Instant expiresAt) {
    private static final int LONGEST = 100;

    public NewToken {
        if (name.isBlank() || name.length() > LONGEST || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("name must be 1 to " + LONGEST + " printable characters");
        }
    }
}
