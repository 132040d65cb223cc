package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventStatistics;

/** Runs the small test classes at the end of this file as JUnit would, each time as a run of its own. */
class TestkitIT {
    private static final Set<Object> SEEN = new HashSet<>();

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    @Test
    void everyKindOfParameterGetsTheOneServerOfTheRunWhichEndsWithIt() {
        run(4, EveryKindOfParameter.class, AnotherClass.class);

        assertThat(SEEN).hasSize(1);
        assertThat(((RedisServer) SEEN.iterator().next()).isRunning()).isFalse();
    }

    @Test
    void classesThatAreExecutedOneByOneShareTheServerOfTheSessionWhichEndsWithIt() {
        try (LauncherSession session = LauncherFactory.openSession()) {
            for (Class<?> each : List.of(AnotherClass.class, FindsNothing.class, AnotherClass.class)) {
                session.getLauncher()
                        .execute(request().selectors(selectClass(each)).build());
            }
            assertThat(SEEN).hasSize(1);
            assertThat(((RedisServer) SEEN.iterator().next()).isRunning()).isTrue();
        }

        assertThat(((RedisServer) SEEN.iterator().next()).isRunning()).isFalse();
    }

    @Test
    void aClassFindsRedisEmptyButItsTestsSeeWhatTheyLeftEachOther() {
        run(4, LeavesKeys.class, FindsNothing.class);
    }

    @Test
    void aClusterIsEmptiedToo() {
        run(2, LeavesKeysInACluster.class, FindsNothingInACluster.class);
    }

    @Test
    void aClassHasADatabaseOfItsOwn() {
        run(4, MakesATable.class, MakesTheSameTable.class);
    }

    private static void run(int tests, Class<?>... classes) {
        EngineTestKit.Builder run = EngineTestKit.engine("junit-jupiter")
                .configurationParameter(
                        "junit.jupiter.testmethod.order.default", "org.junit.jupiter.api.MethodOrderer$MethodName");
        for (Class<?> each : classes) {
            run.selectors(selectClass(each));
        }
        var events = run.execute().testEvents();
        assertThat(events.failed().stream()
                        .map(event -> event.getPayload().map(Object::toString))
                        .flatMap(Optional::stream))
                .isEmpty();
        events.assertStatistics((EventStatistics statistics) -> statistics.succeeded(tests));
    }

    @ExtendWith(Testkit.class)
    static class EveryKindOfParameter {
        EveryKindOfParameter(RedisServer redis) {
            SEEN.add(redis);
        }

        @BeforeAll
        static void beforeAll(RedisServer redis) {
            SEEN.add(redis);
        }

        @BeforeEach
        void beforeEach(RedisServer redis) {
            SEEN.add(redis);
        }

        @Test
        void one(RedisServer redis) {
            SEEN.add(redis);
        }

        @Test
        void two(RedisServer redis) {
            SEEN.add(redis);
        }

        @Nested
        class Inner {
            @Test
            void three(RedisServer redis) {
                SEEN.add(redis);
            }
        }
    }

    @ExtendWith(Testkit.class)
    static class AnotherClass {
        @Test
        void four(RedisServer redis) {
            SEEN.add(redis);
        }
    }

    @ExtendWith(Testkit.class)
    static class LeavesKeys {
        @Test
        void aLeavesAKey(RedisServer redis) {
            redis.commands().set("left", "behind");
        }

        @Test
        void bSeesIt(RedisServer redis) {
            assertThat(redis.keys()).containsExactly("left");
        }

        @Nested
        class Inner {
            @Test
            void seesItToo(RedisServer redis) {
                assertThat(redis.keys()).containsExactly("left");
            }
        }
    }

    @ExtendWith(Testkit.class)
    static class FindsNothing {
        @Test
        void findsNothing(RedisServer redis) {
            assertThat(redis.keys()).isEmpty();
        }
    }

    @ExtendWith(Testkit.class)
    static class LeavesKeysInACluster {
        @Test
        void leavesAKey(RedisCluster redis) {
            redis.commands().set("left", "behind");
        }
    }

    @ExtendWith(Testkit.class)
    static class FindsNothingInACluster {
        @Test
        void findsNothing(RedisCluster redis) {
            assertThat(redis.keys()).isEmpty();
        }
    }

    @ExtendWith(Testkit.class)
    static class MakesATable {
        @Test
        void aMakesIt(PostgresDatabase database) throws SQLException {
            try (var connection = database.connect()) {
                connection.createStatement().execute("CREATE TABLE t (v text)");
            }
        }

        @Test
        void bSeesIt(PostgresDatabase database) throws SQLException {
            try (var connection = database.connect()) {
                connection.createStatement().execute("INSERT INTO t VALUES ('v')");
            }
        }
    }

    @ExtendWith(Testkit.class)
    static class MakesTheSameTable extends MakesATable {}
}
