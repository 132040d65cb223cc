package dev.hotstate.server.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the server listens.
 *
 * @param port 0 takes any free port
 * @param certificate a PEM file with the certificate chain; given together with the key, it makes the server HTTPS
 * @param key a PEM file with the private key (PKCS #8), not encrypted
 * @param maxBodyBytes the largest body a call may send
 * @param allowedHosts further values of {@code Host} to answer to, as {@code name} (any port) or {@code name:port}
 * @param tokensRequired whether callers on loopback need a token too; beyond loopback they always do
 * @param shutdownTimeout how long requests under way may take to end once the server is stopped
 */
public record HttpOptions(
        String host,
        int port,
        @Nullable Path certificate,
        @Nullable Path key,
        int maxBodyBytes,
        List<String> allowedHosts,
        boolean tokensRequired,
        Duration shutdownTimeout) {
    // A body is read into memory before it is parsed.
    private static final int MOST_BODY_BYTES = 64 << 20;

    public HttpOptions {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host must be a name or an address, not \"" + host + "\"");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be 0 to 65535, not " + port);
        }
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("certificate and key must be given together, or neither");
        }
        if (maxBodyBytes < 1 || maxBodyBytes > MOST_BODY_BYTES) {
            throw new IllegalArgumentException(
                    "maxBodyBytes must be 1 to " + MOST_BODY_BYTES + ", not " + maxBodyBytes);
        }
        if (shutdownTimeout.isNegative()) {
            throw new IllegalArgumentException("shutdownTimeout must not be negative, not " + shutdownTimeout);
        }
        allowedHosts = List.copyOf(allowedHosts);
    }

    /** Loopback, no TLS, no tokens, bodies up to 4 MiB, ten seconds to end. */
    public static HttpOptions onLoopback(int port) {
        return new HttpOptions("127.0.0.1", port, null, null, 4 << 20, List.of(), false, Duration.ofSeconds(10));
    }

    public HttpOptions withTokensRequired() {
        return new HttpOptions(host, port, certificate, key, maxBodyBytes, allowedHosts, true, shutdownTimeout);
    }

    boolean tls() {
        return certificate != null;
    }

    InetAddress address() {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new CannotStartException(
                    "the host \"" + host + "\" is not known here: give a name or address of this machine", e);
        }
    }
}
