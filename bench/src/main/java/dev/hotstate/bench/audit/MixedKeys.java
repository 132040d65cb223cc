package dev.hotstate.bench.audit;

import dev.hotstate.testkit.RedisServer;
import io.lettuce.core.ScriptOutputType;

/** Keys of every type, as an application has them: of ten, five strings, two hashes, a list, a set and a sorted set. */
public final class MixedKeys {
    /** So many in one script, so that no call takes long. */
    private static final int AT_ONCE = 10_000;

    private static final String FILL = """
            for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
                local kind = i % 10
                if kind < 3 then
                    redis.call('set', 'prod:api:session:sess_' .. i, string.rep('s', 80), 'EX', 86400)
                elseif kind < 5 then
                    redis.call('set', 'prod:api:counter:' .. i, i)
                elseif kind < 7 then
                    redis.call('hset', 'prod:api:user:' .. i, 'name', 'user ' .. i, 'mail', i .. '@example.org',
                        'plan', 'free', 'seen_at', '1700000000', 'logins', i)
                elseif kind == 7 then
                    redis.call('rpush', 'prod:worker:queue:' .. i, 'one', 'two', 'three')
                elseif kind == 8 then
                    redis.call('sadd', 'prod:web:tags:' .. i, 'red', 'green', i)
                else
                    redis.call('zadd', 'prod:web:scores:' .. i, 1, 'a', 2, 'b', 3, i)
                end
            end
            return 0""";

    private MixedKeys() {}

    public static void fill(RedisServer server, int keys) {
        for (int from = 1; from <= keys; from += AT_ONCE) {
            server.commands()
                    .eval(
                            FILL,
                            ScriptOutputType.INTEGER,
                            new String[0],
                            Integer.toString(from),
                            Integer.toString(Math.min(keys, from + AT_ONCE - 1)));
        }
    }

    /** One of its strings. */
    public static String aKey() {
        return "prod:api:counter:3";
    }
}
