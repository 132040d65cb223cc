package dev.hotstate.core;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How Lettuce is set up. Its defaults wait 60 s, queue without bound and repeat what was in flight when a connection
 * broke, also what must not happen twice. Here nothing is queued for a connection that is down and nothing is repeated
 * behind our back: {@link Redis} decides what is safe to repeat.
 */
final class LettuceOptions {
    /** For a new connection to be greeted. No call waits for it, so it may outlast a busy start. */
    static final Duration HANDSHAKE = Duration.ofSeconds(5);

    private LettuceOptions() {}

    static ClientResources resources() {
        return ClientResources.builder()
                .reconnectDelay(
                        Delay.fullJitter(Duration.ofMillis(20), Duration.ofMillis(500), 2, TimeUnit.MILLISECONDS))
                .build();
    }

    static ClientOptions standalone(RedisOptions options) {
        return common(ClientOptions.builder(), options).build();
    }

    static ClusterClientOptions cluster(RedisOptions options) {
        ClusterClientOptions.Builder builder = ClusterClientOptions.builder()
                .validateClusterNodeMembership(false)
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                        .enablePeriodicRefresh(options.topologyRefresh())
                        .build());
        common(builder, options);
        return builder.build();
    }

    private static ClientOptions.Builder common(ClientOptions.Builder builder, RedisOptions options) {
        options.address()
                .ca()
                .ifPresent(file -> builder.sslOptions(
                        SslOptions.builder().trustManager(file.toFile()).build()));
        return builder.autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .requestQueueSize(options.queue())
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(Duration.ofSeconds(2))
                        .keepAlive(true)
                        .build());
    }
}
