package dev.hotstate.testkit;

import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the servers they name as parameters of a constructor, a test or a lifecycle method.
 *
 * <pre>{@code
 * @ExtendWith(Testkit.class)
 * class CounterIT {
 *     @Test
 *     void countsFromZero(RedisServer redis) { ... }
 * }
 * }</pre>
 *
 * <p>There is one {@link RedisServer}, one {@link RedisCluster} and one {@link PostgresServer} per JVM, started when
 * first asked for and ended after the last test. A Redis is empty when a test class first gets it; what its tests leave
 * to each other is their own affair. A {@link PostgresDatabase} is a fresh one per test class, dropped after it.
 *
 * <p>Since classes share them, do not break these servers and do not run such classes in parallel: a test that breaks
 * something starts its own with {@code RedisServer.start()}.
 */
public final class Testkit implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(Testkit.class);
    private static final Set<Class<?>> SERVERS =
            Set.of(RedisServer.class, RedisCluster.class, PostgresServer.class, PostgresDatabase.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return SERVERS.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == RedisServer.class) {
            return emptied(RedisServer.class, redis(context), context);
        }
        if (type == RedisCluster.class) {
            return emptied(RedisCluster.class, cluster(context), context);
        }
        return type == PostgresServer.class ? postgres(context) : database(context);
    }

    private static RedisServer redis(ExtensionContext context) {
        return perRun(context).computeIfAbsent(RedisServer.class, key -> RedisServer.start(), RedisServer.class);
    }

    private static RedisCluster cluster(ExtensionContext context) {
        return perRun(context).computeIfAbsent(RedisCluster.class, key -> RedisCluster.start(), RedisCluster.class);
    }

    private static PostgresServer postgres(ExtensionContext context) {
        return perRun(context)
                .computeIfAbsent(PostgresServer.class, key -> PostgresServer.start(), PostgresServer.class);
    }

    private static PostgresDatabase database(ExtensionContext context) {
        PostgresServer server = postgres(context);
        return perClass(context)
                .computeIfAbsent(ClassDatabase.class, key -> ClassDatabase.on(server), ClassDatabase.class)
                .database();
    }

    /** A class's first look at a shared Redis finds it empty. */
    private static <T extends RedisTarget> T emptied(Class<T> type, T redis, ExtensionContext context) {
        perClass(context).computeIfAbsent(new Emptied(type), key -> {
            redis.flushAll();
            return key;
        });
        return redis;
    }

    /** The outermost class's, so that nested classes and all its methods see the same. */
    private static Store perClass(ExtensionContext context) {
        ExtensionContext outermost = context;
        while (outermost.getParent().flatMap(ExtensionContext::getTestClass).isPresent()) {
            outermost = outermost.getParent().orElseThrow();
        }
        return outermost.getStore(NAMESPACE);
    }

    /** The session's, not the root's: Maven executes each class on its own if several JVMs share the classes. */
    private static Store perRun(ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE);
    }

    private record Emptied(Class<?> type) {}

    /** The store closes it after the class. */
    private record ClassDatabase(PostgresServer server, PostgresDatabase database) implements AutoCloseable {
        static ClassDatabase on(PostgresServer server) {
            return new ClassDatabase(server, server.freshDatabase());
        }

        @Override
        public void close() {
            server.drop(database);
        }
    }
}
