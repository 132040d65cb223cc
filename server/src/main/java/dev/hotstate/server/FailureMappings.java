package dev.hotstate.server;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.core.RedisRefusedException;
import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.jobs.PartlyEndedException;
import dev.hotstate.server.http.FieldError;
import dev.hotstate.server.http.Problem;
import dev.hotstate.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;

/** What a caller is told when a part of the system is away, or finds the document wrong that it was given. */
final class FailureMappings {
    private static final Duration SOON = Duration.ofSeconds(1);

    private FailureMappings() {}

    static Optional<Problem> problem(Throwable failure) {
        return switch (failure) {
            case InvalidDocumentException invalid ->
                Optional.of(Problem.invalid(invalid.flaws().stream()
                        .map(flaw -> new FieldError(flaw.field(), flaw.message()))
                        .toList()));
            case RebuildingException rebuilding ->
                Optional.of(Problem.unavailable("This part is being rebuilt; nothing was changed.", SOON));
            case RedisUnavailableException away -> Optional.of(Problem.unavailable("Redis does not answer now.", SOON));
            case RedisRefusedException refused ->
                Optional.of(Problem.unavailable("Redis refuses this now; nothing was changed.", SOON));
            case StoreUnavailableException away ->
                Optional.of(Problem.unavailable("PostgreSQL does not answer now.", SOON));
            case PartlyEndedException partly ->
                Optional.of(Problem.unavailable(
                        "Some of these tasks have ended, and others could not be reached now. Send all of them again:"
                                + " those that have counted are answered as repeated.",
                        SOON));
            case HotstateException other ->
                // Plain ones say what does not work for now; a type of its own has its own answer.
                Optional.of(other)
                        .filter(plain -> plain.getClass() == HotstateException.class)
                        .map(plain -> Problem.unavailable("Not now: " + plain.getMessage() + ".", SOON));
            default -> Optional.empty();
        };
    }
}
