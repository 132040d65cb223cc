package dev.hotstate.monitors.check;

import java.io.IOException;
import java.net.Socket;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.jspecify.annotations.Nullable;

/**
 * HTTP over one connection, for one request. Below a client with its pool, routes and retries: a check wants a connection
 * of its own, to an address that was judged, under one deadline.
 */
final class HttpLine {
    /** What one head may hold: 200 lines of 16 KB. */
    private static final Http1Config LIMITS = Http1Config.custom()
            .setMaxLineLength(16 * 1024)
            .setMaxHeaderCount(200)
            .build();

    private final DefaultBHttpClientConnection connection = new DefaultBHttpClientConnection(LIMITS);
    private final @Nullable SecureSocket secure;

    private HttpLine(Socket socket, @Nullable SecureSocket secure) throws IOException {
        this.secure = secure;
        connection.bind(secure == null ? socket : secure.socket());
    }

    static HttpLine open(
            HttpQuestion question, Dialer dialer, Handshakes handshakes, Deadline deadline, Evidence evidence)
            throws CheckFailedException, IOException {
        Target target = question.target();
        Socket socket = dialer.dial(target, deadline, evidence);
        return new HttpLine(
                socket,
                target.isSecure() ? handshakes.shake(socket, target, question.tls(), deadline, evidence) : null);
    }

    void send(ClassicHttpRequest request) throws IOException, HttpException {
        connection.sendRequestHeader(request);
        if (request.getEntity() != null) {
            connection.sendRequestEntity(request);
        }
        connection.flush();
    }

    /** The final answer: what comes before it (100 Continue, 103 Early Hints) is skipped. */
    ClassicHttpResponse receiveHead() throws IOException, HttpException {
        ClassicHttpResponse response;
        do {
            response = connection.receiveResponseHeader();
        } while (response.getCode() < 200 && !response.containsHeader(HttpHeaders.UPGRADE));
        return response;
    }

    void receiveBody(ClassicHttpResponse response) throws IOException, HttpException {
        connection.receiveResponseEntity(response);
    }

    /** The socket itself closes with the check. */
    void end() {
        if (secure != null) {
            secure.end();
        }
    }
}
