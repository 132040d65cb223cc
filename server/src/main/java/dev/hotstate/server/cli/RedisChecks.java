package dev.hotstate.server.cli;

import dev.hotstate.core.RedisAddress;
import dev.hotstate.server.config.ServerUrl;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the doctor asks of Redis; of a Cluster, every node that the URL names. Only INFO and PING are used. */
final class RedisChecks {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final String CHECK = "redis";

    private final ServerUrl url;

    RedisChecks(ServerUrl url) {
        this.url = url;
    }

    List<Finding> findings() {
        var findings = new ArrayList<Finding>();
        var client = RedisClient.create();
        try {
            var address = RedisAddress.parse(url.text());
            address.ca().ifPresent(file -> client.setOptions(trusting(file)));
            address.uris().forEach(node -> findings.addAll(ask(client, node)));
        } catch (IllegalArgumentException unreadable) {
            findings.add(Finding.fail(CHECK, String.valueOf(unreadable.getMessage()), "correct the URL"));
        } finally {
            client.shutdown(Duration.ZERO, PATIENCE);
        }
        return findings;
    }

    private static ClientOptions trusting(Path authorities) {
        return ClientOptions.builder()
                .sslOptions(
                        SslOptions.builder().trustManager(authorities.toFile()).build())
                .build();
    }

    private List<Finding> ask(RedisClient client, RedisURI node) {
        node.setTimeout(PATIENCE);
        try (var connection = client.connect(node)) {
            var commands = connection.sync();
            commands.ping();
            var info = facts(
                    commands.info("server") + "\n" + commands.info("memory") + "\n" + commands.info("persistence"));
            return List.of(version(info), eviction(info), persistence(info));
        } catch (RedisException refused) {
            return List.of(Finding.fail(
                    CHECK,
                    "cannot use " + url + ": " + FirstCause.of(refused),
                    "check that it runs there and that user and password are right"));
        }
    }

    static Finding version(Map<String, String> info) {
        var valkey = info.containsKey("valkey_version");
        var version = info.getOrDefault(valkey ? "valkey_version" : "redis_version", "0");
        var name = (valkey ? "Valkey " : "Redis ") + version;
        return major(version) >= 7
                ? Finding.ok(CHECK, name + " answers")
                : Finding.fail(CHECK, name + " is too old", "use Redis 7.0 or Valkey 7.2 or later");
    }

    static Finding eviction(Map<String, String> info) {
        var policy = info.getOrDefault("maxmemory_policy", "unknown");
        if (!policy.equals("noeviction")) {
            return Finding.fail(
                    CHECK, "maxmemory-policy " + policy + " may evict live state", "set maxmemory-policy noeviction");
        }
        return info.getOrDefault("maxmemory", "0").equals("0")
                ? Finding.warn(
                        CHECK, "no maxmemory is set", "set one below the machine's memory, so that writes fail first")
                : Finding.ok(CHECK, "maxmemory-policy noeviction, maxmemory " + info.get("maxmemory_human"));
    }

    static Finding persistence(Map<String, String> info) {
        return info.getOrDefault("aof_enabled", "0").equals("1")
                ? Finding.ok(CHECK, "append-only file on")
                : Finding.warn(
                        CHECK,
                        "the append-only file is off, so a restart means a rebuild from PostgreSQL",
                        "set appendonly yes and appendfsync everysec");
    }

    static Map<String, String> facts(String info) {
        return info.lines()
                .map(line -> line.split(":", 2))
                .filter(pair -> pair.length == 2)
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1].strip(), (first, second) -> first));
    }

    private static int major(String version) {
        var digits = version.replaceFirst("\\D.*", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }
}
