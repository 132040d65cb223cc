package dev.hotstate.traffic;

import dev.hotstate.testkit.RedisTarget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two instances on an empty Redis, which may be a Cluster: what is promised holds on both. */
abstract class FleetContract {
    final RedisTarget target;
    TestFleet fleet;
    Traffic here;
    Traffic there;

    FleetContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void start() {
        target.flushAll();
        fleet = new TestFleet(target);
        here = fleet.instance("web-1");
        there = fleet.instance("web-2");
    }

    @AfterEach
    void end() {
        fleet.close();
    }

    void flushBoth() {
        here.flush();
        there.flush();
    }
}
