package dev.hotstate.testkit;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;

/** What the connections of all servers share: a few daemon threads, and quick reconnection after a restart. */
final class RedisClients {
    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(10);
    static final ClientResources RESOURCES = ClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .reconnectDelay(Delay.constant(Duration.ofMillis(10)))
            .build();

    /** Never shut down, which keeps those threads for the JVM's life; servers close their connections. */
    static final RedisClient CLIENT = RedisClient.create(RESOURCES);

    private RedisClients() {}

    static RedisURI uri(int port, String password) {
        RedisURI.Builder uri =
                RedisURI.builder().withHost("127.0.0.1").withPort(port).withTimeout(COMMAND_TIMEOUT);
        return password.isEmpty()
                ? uri.build()
                : uri.withPassword(password.toCharArray()).build();
    }
}
