package dev.hotstate.bench;

import dev.hotstate.core.Script;
import dev.hotstate.limits.LimitKeys;
import io.lettuce.core.ScriptOutputType;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** acquire.lua without {@link dev.hotstate.limits.RateLimiter}: loaded once, then called by its digest on one connection. */
final class BareScript {
    private final Lettuce lettuce;
    private final String sha;

    BareScript(Lettuce lettuce) {
        this.lettuce = lettuce;
        this.sha = lettuce.sync().scriptLoad(acquire().lua());
    }

    long acquire(int subject) {
        String name = LimitsBenchmark.name(subject);
        String[] keys = {"bench:hotstate:{" + name + "}:rate_limit:bare-" + name};
        try {
            List<Object> reply = lettuce.async()
                    .<List<Object>>evalsha(
                            sha,
                            ScriptOutputType.MULTI,
                            keys,
                            "",
                            "1",
                            "1",
                            "1",
                            "b",
                            "1000000000",
                            "1",
                            "1000",
                            "0",
                            "bbare      ",
                            "0",
                            "3")
                    .get();
            return LimitsBenchmark.allowed(reply.get(1).equals(1L));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", stopped);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("Lettuce's call failed", failed);
        }
    }

    private static Script<?> acquire() {
        return LimitKeys.SERVICE.scripts().stream()
                .filter(script -> script.name().equals("acquire"))
                .findFirst()
                .orElseThrow();
    }
}
