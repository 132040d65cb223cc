package dev.hotstate.server.cli;

import dev.hotstate.server.Features;
import dev.hotstate.server.HotstateServer;
import dev.hotstate.server.config.Settings;
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
        // Refused before servers are started for it.
        Features.keyspace(settings);
        var servers = new EmbeddedServers(settings);
        var shutdown = Shutdown.of(servers);
        servers.start();

        var server = HotstateServer.start(
                settings,
                new HotstateServer.Servers(
                        servers.redisUrl().text(), servers.postgresUrl().text(), servers.isNeeded()));
        shutdown.endLater(server);
        shutdown.isExpected();
        greet(settings, servers, server.url());
        new CountDownLatch(1).await();
        return 0;
    }

    private void greet(Settings settings, EmbeddedServers servers, String url) {
        var output = Output.of(spec);
        output.println("hotstate is up at " + url);
        if (servers.isNeeded()) {
            output.println("  embedded Redis and PostgreSQL, " + EmbeddedServers.WARNING + "; their data is in "
                    + settings.data());
        }
        output.println("");
        output.println("Try next:");
        output.println("  open " + url + "/ui            the dashboard");
        output.println("  curl " + url + "/health/ready  how each part is");
        output.println("  open " + url + "/docs          every call of the API");
        output.println("  hotstate keyspace docs                  what stands in Redis, and why");
    }
}
