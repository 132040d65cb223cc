package dev.hotstate.drivers;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Redis;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a region keeps of drivers that have left it. */
final class RedisTombstones {
    /** As {@code tombstone.lua} writes it. */
    private static final Pattern WRITTEN = Pattern.compile("(\\S+) (\\d+) ([^;]*);(.*)");

    private final Redis redis;

    RedisTombstones(Redis redis) {
        this.redis = redis;
    }

    Optional<Leaving> find(Partition region, String id) {
        // Empty rather than null, which a call to Redis does not answer.
        String text = redis.read(DriverKeys.MOVED.of(region), (commands, key) -> commands.hmget(key, id)).stream()
                .findFirst()
                .map(field -> field.getValueOrElse(""))
                .orElse("");
        Matcher parts = WRITTEN.matcher(text);
        return parts.matches()
                ? Optional.of(
                        new Leaving(parts.group(1), Long.parseLong(parts.group(2)), parts.group(3), parts.group(4)))
                : Optional.empty();
    }
}
