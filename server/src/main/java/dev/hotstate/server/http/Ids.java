package dev.hotstate.server.http;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What may be an id: 1 to 64 of {@code A-Z a-z 0-9 . _ -}, and no word that is itself a path of the API. */
public final class Ids {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Set<String> RESERVED = Set.of(
            ".",
            "..",
            "ack",
            "apply",
            "audit",
            "available",
            "badge",
            "cancel",
            "channels",
            "check",
            "claim",
            "complete",
            "confirm",
            "docs",
            "drivers",
            "endpoint",
            "endpoints",
            "events",
            "fail",
            "graph",
            "health",
            "heartbeat",
            "history",
            "hourly",
            "incidents",
            "instances",
            "jobs",
            "keyspace",
            "lib",
            "limits",
            "live",
            "location",
            "locations",
            "log",
            "logs",
            "maintenance",
            "map",
            "metrics",
            "monitors",
            "openapi.json",
            "pause",
            "ping",
            "queues",
            "rates",
            "ready",
            "refund",
            "regions",
            "requests",
            "rerun",
            "reservations",
            "resume",
            "rules",
            "schedules",
            "session",
            "start",
            "status",
            "status-page",
            "summary",
            "tasks",
            "test",
            "tokens",
            "top",
            "traffic",
            "ui",
            "uptime",
            "why",
            "workers");

    private Ids() {}

    /** Why this cannot be an id, or empty when it can. */
    public static Optional<String> objection(String id) {
        if (!ID.matcher(id).matches()) {
            return Optional.of("must be 1 to 64 of A-Z a-z 0-9 . _ -");
        }
        return isReserved(id)
                ? Optional.of("\"" + id + "\" is a word of the API and cannot be an id")
                : Optional.empty();
    }

    /** The id itself, or a refusal that names the field. */
    public static String check(String field, String id) {
        objection(id).ifPresent(why -> {
            throw Problem.invalid(field, why);
        });
        return id;
    }

    static boolean isReserved(String word) {
        return RESERVED.contains(word);
    }
}
