package dev.hotstate.traffic;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is promised of traffic, on one Redis. */
@ExtendWith(Testkit.class)
class TrafficIT {
    @Nested
    class Counting extends CountingContract {
        Counting(RedisServer redis) {
            super(redis);
        }
    }

    @Nested
    class Reading extends ReadingContract {
        Reading(RedisServer redis) {
            super(redis);
        }
    }

    @Nested
    class Gauges extends GaugesContract {
        Gauges(RedisServer redis) {
            super(redis);
        }
    }

    @Nested
    class Reporters extends ReportersContract {
        Reporters(RedisServer redis) {
            super(redis);
        }
    }

    @Nested
    class Directory extends DirectoryContract {
        Directory(RedisServer redis) {
            super(redis);
        }
    }
}
