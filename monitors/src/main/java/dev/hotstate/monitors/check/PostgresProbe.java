package dev.hotstate.monitors.check;

import dev.hotstate.monitors.check.CheckSpec.Tls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/** Whether a PostgreSQL answers {@code SELECT 1}, over a new connection. */
final class PostgresProbe implements Probe {
    private static final Driver DRIVER = new Driver();

    private final Dialer dialer;
    private final Handshakes handshakes;

    PostgresProbe(Dialer dialer, Handshakes handshakes) {
        this.dialer = dialer;
        this.handshakes = handshakes;
    }

    @Override
    public void ask(CheckSpec spec, Deadline deadline, Evidence evidence) throws CheckFailedException {
        Target target = spec.where();
        PostgresLogin login = PostgresLogin.of(target);
        Tls tls = tls(spec.options().tls(), login);
        String url = url(target, login, deadline, evidence);
        PostgresSockets.bind(new PostgresSockets.Binding(
                deadline,
                socket ->
                        handshakes.wrap(socket, target, tls, login.encryption().equals("verify-full"))));
        try (Connection connection = DRIVER.connect(url, properties(login, deadline));
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        } catch (SQLException e) {
            throw failed(e, target, tls, deadline, evidence);
        } catch (RuntimeException | OutOfMemoryError e) {
            // The driver believes what it reads: a length of 2 GB makes it ask for as much memory.
            throw new CheckFailedException(Failure.GARBLED, "the answer is not that of a PostgreSQL");
        } finally {
            PostgresSockets.unbind();
        }
    }

    private static Tls tls(Tls options, PostgresLogin login) {
        return new Tls(login.isVerified(), options.serverName(), options.ca());
    }

    /** With the addresses that were judged in place of the name, so that the driver resolves nothing. */
    private String url(Target target, PostgresLogin login, Deadline deadline, Evidence evidence)
            throws CheckFailedException {
        return dialer.addresses(target.host(), deadline, evidence).stream()
                .map(address -> host(address) + ":" + target.port())
                .collect(Collectors.joining(
                        ",", "jdbc:postgresql://", "/" + URLEncoder.encode(login.database(), StandardCharsets.UTF_8)));
    }

    private static String host(InetAddress address) {
        String text = address.getHostAddress();
        return text.indexOf(':') >= 0 ? "[" + text + "]" : text;
    }

    /** Host name and chain are judged by {@link Handshakes}, as for all types; to the driver that is "require". */
    private static Properties properties(PostgresLogin login, Deadline deadline) throws CheckFailedException {
        var properties = new Properties();
        properties.setProperty("user", login.user());
        properties.setProperty("password", login.password());
        properties.setProperty("ApplicationName", "hotstate");
        properties.setProperty("sslmode", login.isVerified() ? "require" : login.encryption());
        properties.setProperty("sslfactory", PostgresTls.class.getName());
        properties.setProperty("socketFactory", PostgresSockets.class.getName());
        properties.setProperty("gssEncMode", "disable");
        // A login timeout would run the login in another thread; the deadline closes the socket instead.
        properties.setProperty("loginTimeout", "0");
        // Nor are the driver's own patience for a connection and for TLS shorter than ours.
        int millis = deadline.leftMillis("asking the PostgreSQL");
        properties.setProperty("connectTimeout", String.valueOf(millis / 1000 + 1));
        properties.setProperty("sslResponseTimeout", String.valueOf(millis));
        return properties;
    }

    private CheckFailedException failed(SQLException e, Target target, Tls tls, Deadline deadline, Evidence evidence) {
        String doing = "asking the PostgreSQL at " + target.authority();
        if (deadline.hasPassed() || Thread.currentThread().isInterrupted()) {
            return CheckFailedException.of(new IOException(e), deadline, doing);
        }
        if (cause(e, ConnectException.class) != null) {
            return new CheckFailedException(Failure.REFUSED, "connection to " + target.authority() + " refused");
        }
        SSLException insecure = cause(e, SSLException.class);
        if (insecure != null) {
            return handshakes.failed(insecure, target, tls, deadline, evidence);
        }
        IOException broken = cause(e, IOException.class);
        return broken == null ? answered(e) : CheckFailedException.of(broken, deadline, doing);
    }

    private static <T> @Nullable T cause(SQLException thrown, Class<T> type) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }

    private static CheckFailedException answered(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        Failure failure =
                state.startsWith("28") ? Failure.DENIED : state.equals("3D000") ? Failure.TARGET : Failure.NOT_READY;
        return new CheckFailedException(
                failure, "PostgreSQL answered: " + Quoted.excerpt(String.valueOf(e.getMessage()), 200));
    }
}
