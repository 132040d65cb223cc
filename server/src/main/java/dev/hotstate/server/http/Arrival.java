package dev.hotstate.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.webserver.http.ServerRequest;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** A request that has just come in, with its id: the caller's own if it is sane, else a new one. */
record Arrival(ServerRequest raw, String id, long startedAt) {
    static final HeaderName X_REQUEST_ID = HeaderNames.create("X-Request-Id");
    // What can stand in a log line and a header without harm.
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._:/+=-]{1,128}");

    static Arrival of(ServerRequest raw) {
        return new Arrival(raw, idFor(raw.headers()), System.nanoTime());
    }

    static String idFor(Headers headers) {
        return headers.first(X_REQUEST_ID)
                .filter(id -> SANE.matcher(id).matches())
                .orElseGet(Arrival::newId);
    }

    String method() {
        return raw.prologue().method().text();
    }

    String path() {
        return raw.prologue().uriPath().rawPath();
    }

    /** Where it comes from, as the connection says; whatever a header claims. */
    String address() {
        return raw.remotePeer().address() instanceof InetSocketAddress peer && peer.getAddress() != null
                ? peer.getAddress().getHostAddress()
                : raw.remotePeer().host();
    }

    boolean isFromLoopback() {
        return raw.remotePeer().address() instanceof InetSocketAddress peer
                && peer.getAddress() != null
                && peer.getAddress().isLoopbackAddress();
    }

    private static String newId() {
        var random = ThreadLocalRandom.current();
        var hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }
}
