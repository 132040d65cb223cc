package dev.hotstate.server.http;

import java.time.Duration;

/** Told of every request in the request's own thread: it must not block. Each that arrived is answered, once. */
public interface RequestObserver {
    /** A request has come in. */
    default void arrived(boolean fromLoopback) {}

    void answered(Answered request);

    /**
     * A request with its answer; a stream counts with its whole life.
     *
     * @param method the method, or {@code OTHER} when it is none that HTTP defines: observers may count by it
     * @param route the route's template, or {@code unmatched}: never a path with ids in it
     */
    record Answered(String method, String route, int status, Duration took, boolean fromLoopback) {}
}
