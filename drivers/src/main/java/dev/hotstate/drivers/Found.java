package dev.hotstate.drivers;

import java.time.Duration;
import java.util.List;

/**
 * What a search found: exactly the nearest that are eligible, in their order.
 *
 * @param staleBy how old what PostgreSQL knows may be; zero from Redis
 */
public record Found(List<Scored> items, Source source, Duration staleBy) {
    public enum Source {
        REDIS,
        POSTGRES
    }
}
