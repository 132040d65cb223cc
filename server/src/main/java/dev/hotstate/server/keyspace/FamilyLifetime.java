package dev.hotstate.server.keyspace;

import dev.hotstate.core.Durations;
import dev.hotstate.core.Lifetime;
import java.util.Map;

/** A family's lifetime as the API shows it. */
final class FamilyLifetime {
    private FamilyLifetime() {}

    static Map<String, Object> shown(Lifetime lifetime) {
        return switch (lifetime) {
            case Lifetime.Expires expires -> Map.of("kind", "expires", "ttl", Durations.print(expires.ttl()));
            case Lifetime.Bounded bounded -> Map.of("kind", "bounded", "count", bounded.count());
            case Lifetime.Kept kept -> Map.of("kind", "kept", "reason", kept.reason());
            case Lifetime.Ends ends ->
                Map.of("kind", "ends", "reason", ends.reason(), "ttl", Durations.print(ends.ttl()));
        };
    }
}
