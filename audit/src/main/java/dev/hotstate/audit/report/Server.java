package dev.hotstate.audit.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which Redis it was.
 *
 * @param address hosts and ports as they were given, without user and password
 * @param kind {@code standalone}, {@code sentinel} or {@code cluster}
 * @param product {@code redis} or {@code valkey}
 * @param version of the first node that told it, or nothing
 * @param nodes all that are known, in the order of their addresses
 */
public record Server(String address, String kind, String product, String version, List<Node> nodes) {
    public Server {
        nodes = List.copyOf(nodes);
    }

    /** What runs there; a user without the right to INFO is not told which version. */
    String software() {
        return version.isEmpty() ? product + " of an unknown version" : product + " " + version;
    }

    /**
     * One process. What it did not tell is 0.
     *
     * @param role {@code master} or {@code replica}
     * @param up whether it answered
     * @param scanned whether its keys were read
     * @param master whose copy a replica is, by address; null for a master
     * @param slots how many it serves on a cluster
     */
    public record Node(
            String address,
            String role,
            boolean up,
            boolean scanned,
            @Nullable String master,
            int slots,
            String version,
            long keys,
            long usedMemory,
            long maxMemory,
            long clients,
            long maxClients,
            double opsPerSecond) {}
}
