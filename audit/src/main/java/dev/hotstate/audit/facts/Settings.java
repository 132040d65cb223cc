package dev.hotstate.audit.facts;

import java.util.List;
import java.util.Set;

/** Which settings are read: those that a rule or a drift is seen by. None of them holds a secret. */
public final class Settings {
    public static final List<String> READ = List.of(
            "activedefrag",
            "appendfsync",
            "appendonly",
            "bind",
            "client-output-buffer-limit",
            "cluster-node-timeout",
            "cluster-require-full-coverage",
            "databases",
            "enable-debug-command",
            "enable-module-command",
            "hash-max-listpack-entries",
            "hash-max-listpack-value",
            "latency-monitor-threshold",
            "lazyfree-lazy-eviction",
            "lazyfree-lazy-expire",
            "lazyfree-lazy-user-del",
            "maxclients",
            "maxmemory",
            "maxmemory-policy",
            "min-replicas-max-lag",
            "min-replicas-to-write",
            "notify-keyspace-events",
            "port",
            "protected-mode",
            "repl-backlog-size",
            "replica-read-only",
            "save",
            "slowlog-log-slower-than",
            "slowlog-max-len",
            "stop-writes-on-bgsave-error",
            "tcp-keepalive",
            "timeout",
            "tls-auth-clients",
            "tls-port",
            "tls-replication");

    /** Those in which nodes of one deployment may differ. */
    public static final Set<String> OF_A_NODE = Set.of("bind", "port", "tls-port");

    private Settings() {}
}
