package dev.hotstate.store;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why there is no connection, in a sentence that says what to look at. */
final class ConnectFailure {
    private ConnectFailure() {}

    static StoreException explain(DatabaseOptions options, SQLException failure) {
        DatabaseUrl url = options.url();
        String at = "PostgreSQL at " + url.address();
        // The pool's own exception says that it waited; what PostgreSQL said last stands behind it.
        SQLException said =
                failure instanceof SQLTransientConnectionException && failure.getCause() instanceof SQLException cause
                        ? cause
                        : failure;
        String state = said.getSQLState() == null ? "" : said.getSQLState();
        if (caused(said, UnknownHostException.class)) {
            return unavailable("PostgreSQL's host " + url.host() + " is not known: check the name.", failure);
        }
        if (caused(said, SSLException.class)) {
            return refused(at + " and this program do not agree on TLS: " + Sentences.ofRoot(said), failure);
        }
        if (caused(said, SocketTimeoutException.class) || Sentences.of(said).contains("timed out")) {
            return unavailable(noneInTime(options, at, said), failure);
        }
        if (caused(said, ConnectException.class) || caused(said, NoRouteToHostException.class)) {
            return unavailable(at + " refuses connections: is it running, and is that its port?", failure);
        }
        return switch (state) {
            case "28P01" -> refused(at + " refuses the password of user " + url.user() + ".", failure);
            case "28000" -> refused(at + " does not let user " + url.user() + " in: " + Sentences.of(said), failure);
            case "3D000" ->
                refused(at + " has no database " + url.database() + ": create it, or correct the URL.", failure);
            case "53300" -> unavailable(at + " has no connection left to give: " + Sentences.of(said), failure);
            case "57P01", "57P02", "57P03" ->
                unavailable(at + " is starting or stopping: try again in a moment.", failure);
            case "08004" -> refused(at + " refuses the connection: " + Sentences.of(said), failure);
            default -> unavailable(at + " cannot be used: " + Sentences.of(said), failure);
        };
    }

    private static String noneInTime(DatabaseOptions options, String at, SQLException said) {
        String seconds = options.connectTimeout().toMillis() / 1000.0 + " s";
        return said instanceof SQLTransientConnectionException
                ? "No connection to " + at + " was free within " + seconds + ": all " + options.maxConnections()
                        + " are in use, or it does not answer."
                : at + " did not answer within " + seconds + ".";
    }

    private static boolean caused(@Nullable Throwable failure, Class<? extends Throwable> kind) {
        return failure != null && (kind.isInstance(failure) || caused(failure.getCause(), kind));
    }

    private static StoreException unavailable(String sentence, SQLException failure) {
        return new StoreUnavailableException(sentence, failure);
    }

    private static StoreException refused(String sentence, SQLException failure) {
        return new StoreException(sentence, failure);
    }
}
