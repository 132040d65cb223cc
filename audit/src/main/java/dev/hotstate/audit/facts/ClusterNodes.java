package dev.hotstate.audit.facts;

import dev.hotstate.audit.wire.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The lines of CLUSTER NODES: {@code id host:port@bus[,name] flags master ping pong epoch link slots…}. */
final class ClusterNodes {
    private static final int FIELDS = 8;

    private ClusterNodes() {}

    /** @param asked the node that told: its own address may be missing, and the others share its user and TLS */
    static List<Member> parse(String lines, Endpoint asked) {
        Map<String, String> addresses = new HashMap<>();
        List<String[]> nodes = new ArrayList<>();
        for (String line : lines.split("\n")) {
            String[] fields = line.trim().split(" ");
            if (fields.length >= FIELDS && !fields[2].contains("noaddr") && !fields[2].contains("handshake")) {
                nodes.add(fields);
                addresses.put(fields[0], endpoint(fields[1], asked).address());
            }
        }
        return nodes.stream()
                .map(fields -> new Member(
                        endpoint(fields[1], asked),
                        fields[2].contains("slave"),
                        addresses.get(fields[3]),
                        slots(fields),
                        null,
                        ""))
                .toList();
    }

    private static Endpoint endpoint(String address, Endpoint asked) {
        String hostAndPort = address.replaceAll("@.*", "");
        int colon = hostAndPort.lastIndexOf(':');
        String host = hostAndPort.substring(0, Math.max(0, colon));
        int port = Integer.parseInt(hostAndPort.substring(colon + 1));
        return asked.at(host.isEmpty() ? asked.host() : host, port == 0 ? asked.port() : port);
    }

    /** A slot on its way to another node stands in brackets, and still counts as a slot of the one that has it. */
    private static int slots(String[] fields) {
        int slots = 0;
        for (int i = FIELDS; i < fields.length; i++) {
            if (!fields[i].startsWith("[")) {
                String[] ends = fields[i].split("-");
                slots += ends.length == 1 ? 1 : Integer.parseInt(ends[1]) - Integer.parseInt(ends[0]) + 1;
            }
        }
        return slots;
    }
}
