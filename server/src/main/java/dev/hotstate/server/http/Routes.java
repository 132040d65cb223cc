package dev.hotstate.server.http;

import java.util.List;

/** What one feature shows over HTTP. */
public interface Routes {
    /** The feature's name: its calls are documented in the resource {@code dev/hotstate/server/openapi/<name>.yaml}. */
    String feature();

    /** Its calls. Asked once, when the server is put together. */
    List<Route> routes();

    /** The server is about to stop: end whatever would hold a connection open (streams, long polls). */
    default void stopping() {}
}
