package dev.hotstate.server.embedded;

import static java.util.concurrent.CompletableFuture.runAsync;

import dev.hotstate.server.config.ServerUrl;
import dev.hotstate.server.config.Settings;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers that the settings ask for: those with a URL are used as they are, the others are started here, on data
 * that outlives the process. Not for production: the embedded Redis gets no current security fixes.
 */
public final class EmbeddedServers implements AutoCloseable {
    public static final String WARNING = "not for production";

    private static final String REDIS = "redis";
    private static final String POSTGRES = "postgres";
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServers.class);

    private final Settings settings;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private ServerUrl redisUrl;
    private ServerUrl postgresUrl;

    public EmbeddedServers(Settings settings) {
        this.settings = settings;
        this.redisUrl = settings.redis().url();
        this.postgresUrl = settings.postgres().url();
    }

    /** Whether any server must be embedded; if not, the data folder is left alone. */
    public boolean isNeeded() {
        return !settings.redis().url().isGiven() || !settings.postgres().url().isGiven();
    }

    /**
     * Starts what is needed, both at once. A close from another thread waits for it to end, so that a signal during the
     * start leaves nothing running.
     *
     * @throws EmbeddedServerException if another process uses the folder, or a server does not start
     */
    public synchronized void start() {
        if (isNeeded() && !tryStart()) {
            var folder = DataFolder.at(settings.data());
            var pid = folder.holder().map(holder -> " (pid " + holder + ")").orElse("");
            throw new EmbeddedServerException("another hotstate" + pid + " uses the data folder " + folder
                    + "; stop it, or give another folder with --data");
        }
    }

    /** Like {@link #start()}, but uses the servers of another hotstate that runs on the folder. */
    public synchronized void startOrJoin() {
        if (isNeeded() && !tryStart()) {
            learnUrls(DataFolder.at(settings.data()));
        }
    }

    /** Uses the servers of another hotstate that runs on the folder, touching nothing; false if none does. */
    public synchronized boolean join() {
        if (!Files.isDirectory(settings.data())
                || DataFolder.at(settings.data()).holder().isEmpty()) {
            return false;
        }
        learnUrls(DataFolder.at(settings.data()));
        return true;
    }

    /** The Redis to use, given or embedded. */
    public synchronized ServerUrl redisUrl() {
        return redisUrl;
    }

    /** The PostgreSQL to use, given or embedded; a JDBC URL. */
    public synchronized ServerUrl postgresUrl() {
        return postgresUrl;
    }

    /** Stops what was started here: Redis first, for PostgreSQL holds the truth. Data stays. */
    @Override
    public synchronized void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception broken) {
                LOG.warn("An embedded server did not stop cleanly: {}", broken.getMessage());
            }
        }
    }

    /** False if another process holds the folder. */
    private boolean tryStart() {
        var folder = DataFolder.at(settings.data());
        if (!folder.tryHold()) {
            return false;
        }
        started.push(folder);
        LOG.info("Starting embedded servers in {}: {}", folder, WARNING);
        try (var starters = Executors.newVirtualThreadPerTaskExecutor()) {
            var starting = new ArrayList<CompletableFuture<AutoCloseable>>();
            var unpacked = runAsync(() -> unpack(folder), starters);
            if (!settings.postgres().url().isGiven()) {
                starting.add(unpacked.thenApplyAsync(done -> PostgresProcess.start(folder.folder(POSTGRES)), starters));
            }
            if (!settings.redis().url().isGiven()) {
                starting.add(unpacked.thenApplyAsync(done -> RedisProcess.start(folder.folder(REDIS)), starters));
            }
            keep(starting);
        }
        learnUrls(folder);
        return true;
    }

    /** Before any process begins: one that is forked while a program is written keeps it from being run. */
    private void unpack(DataFolder folder) {
        if (!settings.redis().url().isGiven()) {
            RedisProcess.unpack(folder.folder(REDIS));
        }
    }

    /** Waits for every one of them before it tells of a failure, so that none is left running. */
    private void keep(List<CompletableFuture<AutoCloseable>> starting) {
        var failures = new ArrayList<Throwable>();
        for (var server : starting) {
            try {
                started.push(server.join());
            } catch (CompletionException failed) {
                failures.add(failed.getCause());
            }
        }
        if (!failures.isEmpty()) {
            close();
            throw new EmbeddedServerException(String.valueOf(failures.getFirst().getMessage()), failures.getFirst());
        }
    }

    private void learnUrls(DataFolder folder) {
        if (!settings.redis().url().isGiven()) {
            redisUrl = RedisProcess.url(folder.folder(REDIS));
        }
        if (!settings.postgres().url().isGiven()) {
            postgresUrl = PostgresProcess.url(folder.folder(POSTGRES));
        }
    }
}
