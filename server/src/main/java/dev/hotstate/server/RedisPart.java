package dev.hotstate.server;

import dev.hotstate.core.Redis;
import dev.hotstate.server.http.ops.HealthPart;
import dev.hotstate.server.http.ops.HealthReport;
import dev.hotstate.server.http.ops.HealthStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How Redis is: whether every node that takes writes answers, and its figures at a glance. */
final class RedisPart {
    private final Redis redis;

    private RedisPart(Redis redis) {
        this.redis = redis;
    }

    static HealthPart of(Redis redis) {
        return new HealthPart("redis", true, new RedisPart(redis)::check);
    }

    private HealthReport check() {
        long before = System.nanoTime();
        List<Map<String, String>> answers = redis.masters().stream()
                .map(node -> redis.info(node, "everything"))
                .toList();
        double latencyMs = (System.nanoTime() - before) / 1e6 / Math.max(1, answers.size());
        long silent = answers.stream().filter(Map::isEmpty).count();
        var usage = redis.usage();
        var figures = new LinkedHashMap<String, Object>();
        if (silent < answers.size()) {
            figures.put("latency_ms", Math.round(latencyMs * 100) / 100.0);
            figures.put("used_memory_bytes", sum(answers, "used_memory"));
            figures.put("ops_per_second", sum(answers, "instantaneous_ops_per_sec"));
            figures.put("clients", sum(answers, "connected_clients"));
        }
        figures.put("connections", usage.connections());
        figures.put("connections_max", usage.maxConnections());
        figures.put("in_flight", usage.inFlight());
        figures.put("breaker", usage.allClosed() ? "closed" : "open");
        answers.stream()
                .filter(info -> info.containsKey("redis_version"))
                .findFirst()
                .ifPresent(info -> {
                    figures.put("version", info.get("redis_version"));
                });
        return new HealthReport(status(silent, answers.size()), detail(silent, answers.size()), figures, Map.of());
    }

    private HealthStatus status(long silent, int nodes) {
        if (silent == nodes) {
            return HealthStatus.DOWN;
        }
        return silent > 0 || !redis.usage().allClosed() ? HealthStatus.DEGRADED : HealthStatus.UP;
    }

    private String detail(long silent, int nodes) {
        if (silent > 0) {
            return nodes == 1 ? "Redis does not answer." : silent + " of " + nodes + " masters do not answer.";
        }
        return redis.isCluster() ? "All " + nodes + " masters answer." : "Redis answers.";
    }

    private static long sum(List<Map<String, String>> answers, String field) {
        return answers.stream()
                .mapToLong(info -> Long.parseLong(info.getOrDefault(field, "0")))
                .sum();
    }
}
