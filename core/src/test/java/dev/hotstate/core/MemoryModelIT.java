package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fills real keys of every type, small and large, and weighs them. On Redis 7.0, which the model is of: later ones need less. */
@ExtendWith(Testkit.class)
class MemoryModelIT {
    private final RedisCommands<String, String> commands;

    MemoryModelIT(RedisServer redis) {
        this.commands = redis.commands();
    }

    @ParameterizedTest
    @CsvSource({
        "STRING,    1,     1",
        "STRING,    1,    44",
        "STRING,    1,    45",
        "STRING,    1,   300",
        "STRING,    1, 70000",
        "HASH,      1,    10",
        "HASH,      7,    36",
        "HASH,    128,    40",
        "HASH,    512,    40",
        "HASH,    513,    40",
        "HASH,      5,   200",
        "HASH,   1000,    60",
        "SET,       1,    12",
        "SET,     100,    12",
        "SET,    1000,    36",
        "SET,      20,   100",
        "ZSET,      1,    12",
        "ZSET,    128,    20",
        "ZSET,    129,    20",
        "ZSET,     10,    80",
        "ZSET,   1000,    20",
        "LIST,      1,    20",
        "LIST,    100,    20",
        "LIST,   1000,   100",
        "LIST,     10,  9000",
        "STREAM,    1,    60",
        "STREAM,   50,    60",
        "STREAM,  150,    60",
        "STREAM, 1000,   150",
        "STREAM, 2000,    60",
        "STREAM,   20,  5000",
    })
    void anEstimateIsWithinAQuarterOfWhatRedisCounts(RedisType type, int elements, int bytes) {
        assumeThat(commands.info("server")).contains("redis_version:7.0.");
        KeyFamily family = family(type, elements, bytes);
        Keyspace keyspace = Keyspace.of("it:memory", new Service("test", List.of(family), List.of(), Set.of()));
        String key = keyspace.wholeName(family.of("k-1"));
        commands.del(key);
        for (int i = 0; i < elements; i++) {
            add(type, key, i, bytes);
        }

        long estimated = MemoryModel.bytesPerKey(keyspace, family);

        assertThat(estimated).isCloseTo(usage(key), withinPercentage(25));
    }

    private void add(RedisType type, String key, int i, int bytes) {
        switch (type) {
            case STRING -> commands.set(key, text(i, bytes));
            case HASH -> commands.hset(key, text(i, bytes / 2), text(i, bytes - bytes / 2));
            case SET -> commands.sadd(key, text(i, bytes));
            case ZSET -> commands.zadd(key, 1_763_245_555_123d + i, text(i, bytes));
            case LIST -> commands.rpush(key, text(i, bytes));
            case STREAM -> commands.xadd(key, XAddArgs.Builder.maxlen(1_000_000), entry(i, bytes));
        }
    }

    private static Map<String, String> entry(int i, int bytes) {
        Map<String, String> entry = new LinkedHashMap<>();
        entry.put("verb", text(i, (bytes - 8) / 2));
        entry.put("json", text(i, bytes - 8 - (bytes - 8) / 2));
        return entry;
    }

    /** So many bytes, unlike for each i, and no number, which Redis would pack. */
    private static String text(int i, int bytes) {
        String unlike = Integer.toString(i, 36);
        return bytes <= unlike.length() ? "x".repeat(bytes) : "x".repeat(bytes - unlike.length()) + unlike;
    }

    private long usage(String key) {
        CommandArgs<String, String> all = new CommandArgs<>(StringCodec.UTF8)
                .add("USAGE")
                .addKey(key)
                .add("SAMPLES")
                .add(0);
        return commands.dispatch(CommandType.MEMORY, new IntegerOutput<>(StringCodec.UTF8), all);
    }

    private static KeyFamily family(RedisType type, int elements, int bytes) {
        String pattern = "{<id>}:family";
        KeyFamily.Builder builder = switch (type) {
            case STRING -> KeyFamily.string(pattern);
            case HASH -> KeyFamily.hash(pattern);
            case SET -> KeyFamily.set(pattern);
            case ZSET -> KeyFamily.zset(pattern);
            case LIST -> KeyFamily.list(pattern);
            case STREAM -> KeyFamily.stream(pattern).field("verb", "one").field("json", "two");
        };
        return builder.id("id", 8)
                .owner("test")
                .kept("for the test")
                .typically(elements, bytes)
                .example("{k-1}:family")
                .why("a test")
                .declared();
    }
}
