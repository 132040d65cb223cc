package dev.hotstate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A Sentinel that watches one master, under the name {@code main}, and decides alone when to give it up. */
public final class RedisSentinel implements AutoCloseable {
    private static final String LOG = "sentinel.log";

    private final Path folder = TempDir.create("hotstate-sentinel-");
    private final ReservedPort port = ReservedPort.reserve();
    private final Process process;

    private RedisSentinel(RedisServer master, Duration patience) {
        try {
            this.process = launch(master, patience);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a Sentinel", e);
        }
        Reaper.watch(process.pid(), folder);
    }

    /**
     * Returns once it knows the master's one replica.
     *
     * @param patience how long the master may be silent before the replica takes its place
     */
    public static RedisSentinel over(RedisServer master, Duration patience) {
        RedisSentinel sentinel = new RedisSentinel(master, patience);
        Eventually.until("the Sentinel knows the replica", () -> sentinel.log().contains("+slave slave"));
        return sentinel;
    }

    /** @param master the name of one; it knows {@code main} only */
    public String url(String master) {
        return "redis-sentinel://127.0.0.1:" + port.number() + "#" + master;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        Reaper.forget(folder);
        TempDir.delete(folder);
        port.close();
    }

    private Process launch(RedisServer master, Duration patience) throws IOException {
        Path config = folder.resolve("sentinel.conf");
        Files.write(
                config,
                List.of(
                        "port " + port.number(),
                        "bind 127.0.0.1",
                        "dir " + folder,
                        "sentinel monitor main 127.0.0.1 " + master.port() + " 1",
                        "sentinel down-after-milliseconds main " + patience.toMillis(),
                        "sentinel failover-timeout main " + 3 * patience.toMillis()));
        return new ProcessBuilder(RedisBinary.path().toString(), config.toString(), "--sentinel")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(LOG).toFile())
                .start();
    }

    private String log() {
        try {
            return Files.readString(folder.resolve(LOG));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
