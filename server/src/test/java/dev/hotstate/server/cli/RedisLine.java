package dev.hotstate.server.cli;

import dev.hotstate.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;

/** Lines as somebody types them at the prompt, and sessions of others. */
final class RedisLine {
    private RedisLine() {}

    /** A connection that ends with its client. */
    record Session(RedisClient client, RedisCommands<String, String> sync) implements AutoCloseable {
        @Override
        public void close() {
            client.shutdown();
        }
    }

    static Session as(RedisServer redis, String user, String password) {
        var client = RedisClient.create("redis://" + user + ":" + password + "@127.0.0.1:" + redis.port());
        return new Session(client, client.connect().sync());
    }

    static void send(RedisServer redis, List<String> words) {
        var arguments = new CommandArgs<>(StringCodec.UTF8);
        words.stream().skip(1).forEach(arguments::add);
        redis.commands()
                .dispatch(CommandType.valueOf(words.getFirst()), new StatusOutput<>(StringCodec.UTF8), arguments);
    }
}
