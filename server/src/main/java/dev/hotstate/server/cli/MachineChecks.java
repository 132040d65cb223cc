package dev.hotstate.server.cli;

import dev.hotstate.server.config.ServerUrl;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.embedded.EmbeddedServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What the doctor asks of this machine; servers that run are asked themselves. */
final class MachineChecks {
    private static final int OLDEST_JAVA = 21;

    private final Settings settings;
    private final EmbeddedServers servers;
    private final boolean embeddedRuns;

    MachineChecks(Settings settings) {
        this.settings = settings;
        this.servers = new EmbeddedServers(settings);
        this.embeddedRuns = servers.join();
    }

    static Finding java() {
        int feature = Runtime.version().feature();
        var home = "Java " + Runtime.version() + " at " + System.getProperty("java.home");
        return feature >= OLDEST_JAVA
                ? Finding.ok("java", home)
                : Finding.fail("java", home, "install a JDK 21 or later, or name it in HOTSTATE_JAVA_HOME");
    }

    Finding port() {
        var fault = ListenAddress.fault(settings.host(), settings.port());
        var address = settings.host() + ":" + settings.port();
        if (fault.isEmpty()) {
            return Finding.ok("port", address + " is free");
        }
        return embeddedRuns
                ? Finding.warn("port", address + " is taken", "by the hotstate that runs on the data folder, it seems")
                : Finding.fail("port", fault, "or stop what listens there");
    }

    Finding data() {
        var folder = settings.data().toAbsolutePath();
        if (!servers.isNeeded()) {
            return Finding.ok("data", "no data folder is needed");
        }
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            return Finding.fail("data", folder + " is a file, not a folder", "give another one with --data");
        }
        return Files.isWritable(nearestExisting(folder))
                ? Finding.ok("data", folder + (embeddedRuns ? " is in use by a running hotstate" : " can be written"))
                : Finding.fail(
                        "data", folder + " cannot be written", "change its rights or give another one with --data");
    }

    List<Finding> plaintext() {
        return settings.plaintextServers().stream()
                .map(server -> Finding.warn(
                        "plaintext",
                        server + " is on another machine and is reached without TLS",
                        "give a TLS URL; with env prod this is refused unless allow_plaintext names it"))
                .toList();
    }

    List<Finding> redis() {
        return server("redis", settings.redis().url(), servers.redisUrl(), url -> new RedisChecks(url).findings());
    }

    List<Finding> postgres() {
        return server(
                "postgres",
                settings.postgres().url(),
                servers.postgresUrl(),
                url -> new PostgresChecks(url).findings());
    }

    private static List<Finding> server(
            String name, ServerUrl given, ServerUrl used, Function<ServerUrl, List<Finding>> checks) {
        var findings = new ArrayList<Finding>();
        if (!given.isGiven()) {
            findings.add(Finding.warn(
                    name,
                    "the embedded one is " + EmbeddedServers.WARNING,
                    "give a server of your own with --" + name + " URL"));
        }
        if (used.isGiven()) {
            findings.addAll(checks.apply(used));
        }
        return findings;
    }

    private static Path nearestExisting(Path folder) {
        var place = folder;
        while (!Files.exists(place) && place.getParent() != null) {
            place = place.getParent();
        }
        return place;
    }
}
