package dev.hotstate.server.cli;

import dev.hotstate.testkit.RedisServer;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;

/** A line of {@code ACL …} as somebody types it at the prompt. */
final class RedisLine {
    private RedisLine() {}

    static void send(RedisServer redis, List<String> words) {
        var arguments = new CommandArgs<>(StringCodec.UTF8);
        words.stream().skip(1).forEach(arguments::add);
        redis.commands()
                .dispatch(CommandType.valueOf(words.getFirst()), new StatusOutput<>(StringCodec.UTF8), arguments);
    }
}
