package dev.hotstate.store;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** What a statement that failed tells its caller: whether the same call may succeed later, and why it did not now. */
final class StatementFailure {
    // By the first two letters of the SQL state: connection lost, out of means, ended by an operator or a timeout.
    private static final Set<String> PASSING_CLASSES = Set.of("08", "53", "57");
    // A standby that was not promoted yet, a transaction that lost against another, a deadlock.
    private static final Set<String> PASSING = Set.of("25006", "40001", "40P01");

    private StatementFailure() {}

    /** @param what what failed, as the beginning of a sentence */
    static StoreException explain(String what, JdbiException failure) {
        Optional<SQLException> said = sqlFailure(failure);
        return said.map(sql -> explain(what, sql, failure))
                .orElseGet(() -> new StoreException(what + " was asked wrongly: " + Sentences.of(failure), failure));
    }

    static StoreException explain(String what, SQLException failure) {
        return explain(what, failure, failure);
    }

    private static StoreException explain(String what, SQLException said, Exception cause) {
        String sentence = what + " failed: " + Sentences.of(said);
        return mayPass(said.getSQLState())
                ? new StoreUnavailableException(sentence, cause)
                : new StoreException(sentence, cause);
    }

    private static boolean mayPass(@Nullable String state) {
        return state != null
                && (PASSING.contains(state)
                        || (state.length() == 5 && PASSING_CLASSES.contains(state.substring(0, 2))));
    }

    private static Optional<SQLException> sqlFailure(@Nullable Throwable failure) {
        return failure == null || failure instanceof SQLException
                ? Optional.ofNullable((SQLException) failure)
                : sqlFailure(failure.getCause());
    }
}
