package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;

import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** What no embedded PostgreSQL can be brought to say; the rest is in DatabaseIT. */
class ConnectFailureTest {
    private static final DatabaseOptions OPTIONS = DatabaseOptions.of("postgres://ann:hunter2@db.example/app");

    @Test
    void aCertificateThatIsNotTrustedIsATlsFailure() {
        PSQLException failure = new PSQLException(
                "SSL error: PKIX path building failed",
                PSQLState.CONNECTION_FAILURE,
                new SSLHandshakeException("unable to find valid certification path to requested target"));

        assertThat(ConnectFailure.explain(OPTIONS, failure))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessage("PostgreSQL at db.example:5432 and this program do not agree on TLS:"
                        + " unable to find valid certification path to requested target.");
    }

    @Test
    void aServerThatIsStartingMayBeTriedAgain() {
        PSQLException failure =
                new PSQLException("FATAL: the database system is starting up", PSQLState.UNKNOWN_STATE) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public String getSQLState() {
                        return "57P03";
                    }
                };

        assertThat(ConnectFailure.explain(OPTIONS, failure))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("PostgreSQL at db.example:5432 is starting or stopping: try again in a moment.");
    }
}
