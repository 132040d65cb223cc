package dev.hotstate.core;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;

/** Sends a script by its digest, and whole after Redis has said that it does not know the digest. */
final class ScriptCommand implements Request<List<Object>> {
    private final ScriptSource source;
    private final String[] keys;
    private final String[] args;
    private boolean whole;

    ScriptCommand(ScriptSource source, String[] keys, String[] args) {
        this.source = source;
        this.keys = keys;
        this.args = args;
    }

    @Override
    public boolean sendWhole() {
        whole = true;
        return true;
    }

    @Override
    public RedisFuture<List<Object>> send(RedisClusterAsyncCommands<String, String> commands) {
        Command<String, String, List<Object>> command = command();
        return commands.dispatch(command.getType(), command.getOutput(), command.getArgs());
    }

    /** As it goes over a connection. */
    Command<String, String, List<Object>> command() {
        CommandArgs<String, String> words = new CommandArgs<>(Utf8.CODEC)
                .add(whole ? source.body() : source.sha())
                .add(keys.length)
                .addKeys(keys)
                .addValues(args);
        return new Command<>(
                whole ? CommandType.EVAL : CommandType.EVALSHA, new NestedMultiOutput<>(Utf8.CODEC), words);
    }
}
