package dev.hotstate.monitors;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import dev.hotstate.core.Script.Call;
import java.util.List;
import java.util.function.Supplier;

/** Reads over all partitions, for answers that half a partition would make wrong. */
final class RedisWhole {
    static final Script<String> WHOLE = Script.of(RedisWhole.class, "whole", List.of("incarnation"), Reply::word);

    private final Redis redis;
    private final Passes passes;
    private final Partitions partitions;

    RedisWhole(Redis redis, Passes passes, Partitions partitions) {
        this.redis = redis;
        this.passes = passes;
        this.partitions = partitions;
    }

    /**
     * What is read, if every partition was whole from before it until after it.
     *
     * @throws dev.hotstate.core.RebuildingException if one was not
     */
    <T> T read(Supplier<T> reading) {
        List<Call> after = partitions.all().stream()
                .map(partition -> new Call(
                        List.of(CoreKeys.INCARNATION.of(partition)),
                        List.of(passes.of(partition).toString(), redis.scriptTime())))
                .toList();
        T read = reading.get();
        WHOLE.runAll(redis, after);
        return read;
    }
}
