package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.net.SocketException;
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
                "SSL error: unable to find valid certification path to requested target",
                PSQLState.CONNECTION_FAILURE,
                new SSLHandshakeException("unable to find valid certification path to requested target"));

        assertThat(ConnectFailure.explain(OPTIONS, failure))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessage("PostgreSQL at db.example:5432 and this program do not agree on TLS:"
                        + " SSL error: unable to find valid certification path to requested target.");
    }

    @Test
    void aMissingCertificateFileIsATlsFailure() {
        DatabaseOptions verified = DatabaseOptions.of("postgres://ann@db.example/app?sslmode=verify-full");
        PSQLException failure = new PSQLException(
                "Could not open SSL root certificate file /nope.",
                PSQLState.CONNECTION_FAILURE,
                new FileNotFoundException("/nope"));

        assertThat(ConnectFailure.explain(verified, failure))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessage("PostgreSQL at db.example:5432 and this program do not agree on TLS:"
                        + " Could not open SSL root certificate file /nope.");
    }

    @Test
    void aConnectionThatIsCutIsNotATlsFailureEvenWithTls() {
        DatabaseOptions encrypted = DatabaseOptions.of("postgres://ann@db.example/app?sslmode=require");
        PSQLException failure = new PSQLException(
                "An I/O error occurred while sending to the backend.",
                PSQLState.CONNECTION_FAILURE,
                new SocketException("Connection reset"));

        assertThat(ConnectFailure.explain(encrypted, failure))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("PostgreSQL at db.example:5432 closed the connection: is it still running?");
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
