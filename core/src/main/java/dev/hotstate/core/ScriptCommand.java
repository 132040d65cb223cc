package dev.hotstate.core;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
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
        return whole
                ? commands.eval(source.body(), ScriptOutputType.MULTI, keys, args)
                : commands.evalsha(source.sha(), ScriptOutputType.MULTI, keys, args);
    }
}
