package dev.hotstate.monitors.check;

import java.util.List;

/**
 * @param allowed ranges of addresses that are asked although {@linkplain AddressRules the rules} ban them
 * @param largestBody how many bytes of a body are read, after it was unpacked; the rest is left
 * @param nameServers as host:port, each host an address; those of the system if empty
 */
public record CheckerOptions(List<Cidr> allowed, int largestBody, List<String> nameServers) {
    public static final CheckerOptions DEFAULTS = new CheckerOptions(List.of(), 1024 * 1024, List.of());

    public CheckerOptions {
        allowed = List.copyOf(allowed);
        nameServers = List.copyOf(nameServers);
        if (largestBody < 0) {
            throw new IllegalArgumentException("largestBody must not be negative: " + largestBody);
        }
        nameServers.forEach(NameServers::parse);
    }

    public CheckerOptions allowing(Cidr... ranges) {
        return new CheckerOptions(List.of(ranges), largestBody, nameServers);
    }

    public CheckerOptions askingNames(String... servers) {
        return new CheckerOptions(allowed, largestBody, List.of(servers));
    }
}
