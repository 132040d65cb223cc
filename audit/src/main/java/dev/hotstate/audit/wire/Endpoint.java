package dev.hotstate.audit.wire;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How one node is reached.
 *
 * @param user null: the default user
 * @param password null: none is sent
 * @param tls null: in the clear
 */
public record Endpoint(
        String host,
        int port,
        @Nullable String user,
        @Nullable String password,
        int database,
        @Nullable Tls tls) {

    /**
     * @param ca the authorities that sign the server's certificate; null: those of the JVM
     */
    public record Tls(Verify verify, @Nullable Path ca) {}

    /** What of a server's certificate is looked at. */
    public enum Verify {
        /** Who signed it, and that it is for the host. */
        FULL,
        /** Who signed it. */
        CA,
        NONE
    }

    /** Another node of the same deployment. */
    public Endpoint at(String otherHost, int otherPort) {
        return new Endpoint(otherHost, otherPort, user, password, database, tls);
    }

    public String address() {
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }

    /** Without the password. */
    @Override
    public String toString() {
        return address();
    }
}
