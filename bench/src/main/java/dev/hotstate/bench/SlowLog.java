package dev.hotstate.bench;

import dev.hotstate.testkit.RedisServer;
import java.util.List;
import java.util.Objects;

/** How long single commands held Redis, by its own log of them. */
record SlowLog(RedisServer redis) {
    private static final int MOST = 10_000;

    /** From now on each command is written down. */
    static SlowLog begin(RedisServer redis) {
        redis.commands().configSet("slowlog-max-len", Integer.toString(MOST));
        redis.commands().configSet("slowlog-log-slower-than", "0");
        redis.commands().slowlogReset();
        return new SlowLog(redis);
    }

    /** In microseconds; ends the log. */
    double longest(String command) {
        redis.commands().configSet("slowlog-log-slower-than", "10000");
        return redis.commands().slowlogGet(MOST).stream()
                .map(entry -> (List<?>) entry)
                .filter(entry -> name(entry).equalsIgnoreCase(command))
                .mapToLong(entry -> (Long) entry.get(2))
                .max()
                .orElseThrow(() -> new IllegalStateException("Redis wrote down no " + command));
    }

    private static String name(List<?> entry) {
        return Objects.toString(((List<?>) entry.get(3)).getFirst());
    }
}
