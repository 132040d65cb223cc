package dev.hotstate.server.http.ops;

import java.util.concurrent.Callable;

/**
 * A part whose health is told.
 *
 * @param essential whether the server is of no use while this part is down; else it is only degraded then
 * @param check looks now. It may block or fail: it is given a second, in a thread of its own
 */
public record HealthPart(String name, boolean essential, Callable<HealthReport> check) {
    public HealthPart {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name must not be blank");
        }
    }
}
