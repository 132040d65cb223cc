package dev.hotstate.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.core.Partition;
import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** visit.lua without {@link dev.hotstate.core.Script}: loaded once, then called by its digest, the keys joined by hand. */
final class LettuceVisits {
    private final Lettuce lettuce;
    private final List<Partition> partitions;
    private final String sha;

    LettuceVisits(Lettuce lettuce, List<Partition> partitions) {
        this.lettuce = lettuce;
        this.partitions = partitions;
        this.sha = lettuce.sync().scriptLoad(lua());
    }

    long async(int visitor) {
        try {
            return count(lettuce.async()
                    .<List<Object>>evalsha(sha, ScriptOutputType.MULTI, keys(visitor), ScriptBenchmark.id(visitor))
                    .get());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", stopped);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("Lettuce's call failed", failed);
        }
    }

    long sync(int visitor) {
        return count(lettuce.sync().evalsha(sha, ScriptOutputType.MULTI, keys(visitor), ScriptBenchmark.id(visitor)));
    }

    private String[] keys(int visitor) {
        String tag = partitions.get(visitor % partitions.size()).tag();
        return new String[] {"bench:hotstate:{" + tag + "}:bench:visits", "bench:hotstate:{" + tag + "}:bench:seen"};
    }

    private static long count(List<Object> reply) {
        return (Long) reply.get(1);
    }

    private static String lua() {
        try (InputStream file = LettuceVisits.class.getResourceAsStream("visit.lua")) {
            if (file == null) {
                throw new IllegalStateException("visit.lua is not in the jar");
            }
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
