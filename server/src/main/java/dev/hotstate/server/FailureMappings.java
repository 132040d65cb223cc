package dev.hotstate.server;

import dev.hotstate.core.RebuildingException;
import dev.hotstate.core.RedisRefusedException;
import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.server.http.Problem;
import dev.hotstate.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;

/** What a caller is told when a part of the system is away. */
final class FailureMappings {
    private static final Duration SOON = Duration.ofSeconds(1);

    private FailureMappings() {}

    static Optional<Problem> problem(Throwable failure) {
        return switch (failure) {
            case RebuildingException rebuilding ->
                Optional.of(Problem.unavailable("This part is being rebuilt; nothing was changed.", SOON));
            case RedisUnavailableException away -> Optional.of(Problem.unavailable("Redis does not answer now.", SOON));
            case RedisRefusedException refused ->
                Optional.of(Problem.unavailable("Redis refuses this now; nothing was changed.", SOON));
            case StoreUnavailableException away ->
                Optional.of(Problem.unavailable("PostgreSQL does not answer now.", SOON));
            default -> Optional.empty();
        };
    }
}
