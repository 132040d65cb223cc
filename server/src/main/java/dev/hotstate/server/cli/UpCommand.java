package dev.hotstate.server.cli;

import dev.hotstate.server.embedded.EmbeddedServers;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Stays in the foreground until a signal; embedded servers stop last. */
@Command(
        name = "up",
        description = "Start the server, with an embedded Redis and PostgreSQL where no URL is given.",
        mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        var settings = options.load();
        var fault = ListenAddress.fault(settings.host(), settings.port());
        if (!fault.isEmpty()) {
            throw new CommandFailedException(fault);
        }
        var servers = new EmbeddedServers(settings);
        var shutdown = Shutdown.of(servers);
        servers.start();

        var output = Output.of(spec);
        output.println("Redis       " + servers.redisUrl());
        output.println("PostgreSQL  " + servers.postgresUrl());
        if (servers.isNeeded()) {
            output.println("Embedded servers are " + EmbeddedServers.WARNING + "; their data is in " + settings.data());
        }
        shutdown.isExpected();
        new CountDownLatch(1).await();
        return 0;
    }
}
