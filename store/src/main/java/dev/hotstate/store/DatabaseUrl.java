package dev.hotstate.store;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.postgresql.PGProperty;

/**
 * Where PostgreSQL is, and as whom: {@code postgres://user:password@host:5432/database?sslmode=require}, the same with
 * {@code postgresql://}, or {@code jdbc:postgresql://host/database?user=…&password=…}. User, password, database and
 * parameters may be percent-encoded; an IPv6 host stands in brackets. The password is in no message and no toString.
 *
 * @param host a name or an address, IPv6 without its brackets
 * @param parameters the driver's own, by the driver's names (such as sslmode, sslrootcert, currentSchema)
 */
public record DatabaseUrl(
        String host, int port, String database, String user, String password, Map<String, String> parameters) {
    private static final Set<String> SSL_MODES =
            Set.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");
    private static final Set<String> ENCRYPTED = Set.of("require", "verify-ca", "verify-full");
    private static final Pattern LOOPBACK = Pattern.compile(
            "localhost|.*\\.localhost|127(\\.\\d{1,3}){3}|(0{0,4}:){2,7}0{0,3}1", Pattern.CASE_INSENSITIVE);

    public DatabaseUrl {
        requireText("host", host);
        requireText("database", database);
        requireText("user", user);
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("The PostgreSQL port must be from 1 to 65535, not " + port + ".");
        }
        parameters = Map.copyOf(parameters);
        // The driver ignores what it does not know: a misspelt sslmode would silently mean plaintext.
        parameters.keySet().forEach(DatabaseUrl::requireKnown);
        String sslMode = parameters.get("sslmode");
        if (sslMode != null && !SSL_MODES.contains(sslMode)) {
            throw new IllegalArgumentException("sslmode in the PostgreSQL URL must be one of disable, allow, prefer,"
                    + " require, verify-ca, verify-full, not \"" + sslMode + "\".");
        }
    }

    /** @throws IllegalArgumentException saying in one sentence what is wrong with it */
    public static DatabaseUrl parse(String url) {
        return DatabaseUrlParser.parse(url);
    }

    public DatabaseUrl withPassword(String password) {
        return new DatabaseUrl(host, port, database, user, password, parameters);
    }

    /** Whether the password and the data could travel unencrypted over a network. The host's name is not looked up. */
    public boolean isPlaintextBeyondLoopback() {
        return !isEncrypted() && !LOOPBACK.matcher(host).matches();
    }

    // Without sslmode the driver "prefers" TLS: it falls back to plaintext if the server (or who sits between) says no.
    boolean isEncrypted() {
        String sslMode = parameters.get("sslmode");
        return sslMode != null
                ? ENCRYPTED.contains(sslMode)
                : parameters.containsKey("ssl") && !"false".equalsIgnoreCase(parameters.get("ssl"));
    }

    /** Host and port as a person writes them. */
    public String address() {
        return bracketedHost() + ":" + port;
    }

    String bracketedHost() {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    /** Without the password, and with the names alone of the parameters: one may be a secret (sslpassword). */
    @Override
    public String toString() {
        String names = parameters.isEmpty() ? "" : "?" + String.join("&", new TreeMap<>(parameters).keySet());
        return "postgres://" + user + "@" + address() + "/" + database + names;
    }

    private static void requireText(String field, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(
                    "The PostgreSQL URL names no " + field + ": write postgres://USER:PASSWORD@HOST:5432/DATABASE.");
        }
    }

    private static void requireKnown(String parameter) {
        if (PGProperty.forName(parameter) == null) {
            throw new IllegalArgumentException(
                    "The PostgreSQL URL has a parameter that the driver does not know: \"" + parameter + "\".");
        }
    }
}
