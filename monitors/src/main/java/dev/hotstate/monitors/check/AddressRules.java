package dev.hotstate.monitors.check;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which addresses may be asked. Whoever may define a monitor makes this server ask, from where it stands; so it does not
 * ask what answers only because of where it stands: a cloud's metadata service, which hands out credentials. Loopback and
 * private networks are what people monitor, and are allowed.
 */
public final class AddressRules {
    private static final List<Cidr> BANNED = Stream.of(
                    // "This network": on many systems another word for loopback.
                    "0.0.0.0/8",
                    "::/128",
                    // Link-local, with the metadata services of most clouds (169.254.169.254).
                    "169.254.0.0/16",
                    "fe80::/10",
                    // Metadata elsewhere: EC2 and GCP on IPv6, Scaleway, Alibaba, Oracle, Azure.
                    "fd00:ec2::254/128",
                    "fd20:ce::254/128",
                    "fd00:42::42/128",
                    "100.100.100.200/32",
                    "192.0.0.192/32",
                    "168.63.129.16/32",
                    // Multicast and broadcast are nobody's address.
                    "224.0.0.0/4",
                    "ff00::/8",
                    "255.255.255.255/32")
            .map(Cidr::parse)
            .toList();

    private static final Cidr COMPATIBLE = Cidr.parse("::/96");
    private static final Cidr NAT64 = Cidr.parse("64:ff9b::/96");
    private static final Cidr SIX_TO_FOUR = Cidr.parse("2002::/16");

    private final List<Cidr> allowed;

    /** @param allowed ranges that may be asked although they are banned */
    public AddressRules(List<Cidr> allowed) {
        this.allowed = List.copyOf(allowed);
    }

    public boolean permit(InetAddress address) {
        byte[] bytes = address.getAddress();
        return holds(allowed, bytes) || (!holds(BANNED, bytes) && !hidesBanned(address));
    }

    private static boolean holds(List<Cidr> ranges, byte[] address) {
        return ranges.stream().anyMatch(range -> range.holds(address));
    }

    /** IPv6 has several ways to write an IPv4 address. The mapped one (::ffff:) Java itself turns into IPv4. */
    private boolean hidesBanned(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (!(address instanceof Inet6Address) || address.isLoopbackAddress()) {
            return false;
        }
        if (COMPATIBLE.holds(bytes) || NAT64.holds(bytes)) {
            return !permit(Addresses.address("", Arrays.copyOfRange(bytes, 12, 16)));
        }
        return SIX_TO_FOUR.holds(bytes) && !permit(Addresses.address("", Arrays.copyOfRange(bytes, 2, 6)));
    }
}
