package dev.hotstate.traffic;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is promised of traffic, on a Cluster. */
@ExtendWith(Testkit.class)
class TrafficOnClusterIT {
    @Nested
    class Counting extends CountingContract {
        Counting(RedisCluster redis) {
            super(redis);
        }
    }

    @Nested
    class Reading extends ReadingContract {
        Reading(RedisCluster redis) {
            super(redis);
        }
    }

    @Nested
    class Gauges extends GaugesContract {
        Gauges(RedisCluster redis) {
            super(redis);
        }
    }

    @Nested
    class Reporters extends ReportersContract {
        Reporters(RedisCluster redis) {
            super(redis);
        }
    }

    @Nested
    class Directory extends DirectoryContract {
        Directory(RedisCluster redis) {
            super(redis);
        }
    }
}
