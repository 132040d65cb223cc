package dev.hotstate.server.http;

import java.time.Duration;

/** Told of every request once it is answered, in the request's own thread: it must not block. */
@FunctionalInterface
public interface RequestObserver {
    /**
     * @param method the method, or {@code OTHER} when it is none that HTTP defines: observers may count by it
     * @param route the route's template, or {@code unmatched}: never a path with ids in it
     */
    void answered(String method, String route, int status, Duration took);
}
