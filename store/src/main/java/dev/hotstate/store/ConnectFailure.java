package dev.hotstate.store;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
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
        String at = "PostgreSQL at " + options.url().address();
        // The pool's own exception says that it waited; what PostgreSQL said last stands behind it.
        if (failure instanceof SQLTransientConnectionException) {
            return failure.getCause() instanceof SQLException said
                    ? explain(options, said)
                    : unavailable(
                            "No connection to " + at + " was free within " + patience(options) + ": all "
                                    + options.maxConnections() + " are in use, or it does not answer.",
                            failure);
        }
        if (caused(failure, UnknownHostException.class)) {
            String host = options.url().host();
            return unavailable("PostgreSQL's host " + host + " is not known: check the name.", failure);
        }
        if (isAboutTls(options.url(), failure)) {
            return refused(at + " and this program do not agree on TLS: " + Sentences.of(failure), failure);
        }
        if (caused(failure, SocketTimeoutException.class) || isDriversTimeLimit(failure)) {
            return unavailable(at + " did not answer within " + patience(options) + ".", failure);
        }
        if (caused(failure, ConnectException.class) || caused(failure, NoRouteToHostException.class)) {
            return unavailable(at + " refuses connections: is it running, and is that its port?", failure);
        }
        return byState(options.url(), at, failure);
    }

    private static StoreException byState(DatabaseUrl url, String at, SQLException failure) {
        String said = Sentences.of(failure);
        return switch (String.valueOf(failure.getSQLState())) {
            case "28P01" -> refused(at + " refuses the password of user " + url.user() + ".", failure);
            case "28000" -> refused(at + " does not let user " + url.user() + " in: " + said, failure);
            case "3D000" ->
                refused(at + " has no database " + url.database() + ": create it, or correct the URL.", failure);
            case "53300" -> unavailable(at + " has no connection left to give: " + said, failure);
            case "57P01", "57P02", "57P03" ->
                unavailable(at + " is starting or stopping: try again in a moment.", failure);
            case "08003", "08006" -> unavailable(at + " closed the connection: is it still running?", failure);
            case "08004" -> refused(at + " refuses the connection: " + said, failure);
            default -> unavailable(at + " cannot be used: " + said, failure);
        };
    }

    // A certificate file that is missing, or a host name that is not the certificate's, comes without an SSLException.
    private static boolean isAboutTls(DatabaseUrl url, SQLException failure) {
        boolean cut = caused(failure, SocketException.class) || caused(failure, EOFException.class);
        boolean late = caused(failure, SocketTimeoutException.class);
        return caused(failure, SSLException.class)
                || (url.isEncrypted() && "08006".equals(failure.getSQLState()) && !cut && !late);
    }

    // It has no cause and no SQL state of its own, and its words follow the locale.
    private static boolean isDriversTimeLimit(SQLException failure) {
        return "08001".equals(failure.getSQLState()) && failure.getCause() == null;
    }

    private static boolean caused(@Nullable Throwable failure, Class<? extends Throwable> kind) {
        return failure != null && (kind.isInstance(failure) || caused(failure.getCause(), kind));
    }

    private static String patience(DatabaseOptions options) {
        long millis = options.connectTimeout().toMillis();
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }

    private static StoreException unavailable(String sentence, SQLException failure) {
        return new StoreUnavailableException(sentence, failure);
    }

    private static StoreException refused(String sentence, SQLException failure) {
        return new StoreException(sentence, failure);
    }
}
