package dev.hotstate.bench.jobs.drill;

import dev.hotstate.testkit.RedisTarget;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What is left in Redis of jobs that have all ended. */
final class Leftovers {
    private static final Set<String> OF_ENDED = Set.of(":job:", ":task:", ":dag:");

    private final RedisTarget redis;

    Leftovers(RedisTarget redis) {
        this.redis = redis;
    }

    /** What still waits: for a worker, for an end of a lease or a pause, for its dependents, for PostgreSQL. */
    List<String> waiting() {
        RedisClusterCommands<String, String> commands = redis.commands();
        List<String> left = new ArrayList<>();
        for (String key : redis.keys()) {
            String of = key.substring(key.indexOf('}') + 1);
            if (of.startsWith(":ready:")
                    || Set.of(":jobs:leases", ":jobs:delayed", ":jobs:lapsed").contains(of)) {
                commands.zrange(key, 0, -1).forEach(member -> left.add(key + " has " + member));
            } else if (of.equals(":jobs:steps")) {
                commands.lrange(key, 0, -1).forEach(line -> left.add(key + " has " + line));
            } else if (of.equals(":jobs:archive") && commands.xlen(key) > 0) {
                left.add(key + " has " + commands.xlen(key) + " entries");
            }
        }
        return left;
    }

    /** Keys of jobs that nobody lets expire. */
    List<String> kept() {
        return redis.keys().stream()
                .filter(key -> OF_ENDED.stream().anyMatch(key::contains))
                .filter(key -> redis.commands().ttl(key) == -1)
                .map(key -> key + " does not expire")
                .toList();
    }
}
