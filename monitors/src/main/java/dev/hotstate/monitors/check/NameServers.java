package dev.hotstate.monitors.check;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.SimpleResolver;

/** Who is asked for names. */
final class NameServers {
    private static final int PORT = 53;

    /** After so long without an answer the next server is asked, or the same one again: one lost packet is no failure. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private NameServers() {}

    /** @throws IllegalArgumentException naming the text that is no address */
    static InetSocketAddress parse(String text) {
        Target target = Target.hostAndPort("host or host:port", text, PORT);
        InetAddress address = Addresses.literal(target.host())
                .orElseThrow(() -> new IllegalArgumentException(
                        "a name server must be an address, not \"" + Quoted.excerpt(text, 60) + "\""));
        return new InetSocketAddress(address, target.port());
    }

    /** @param servers those of the system if empty */
    static Resolver resolver(List<String> servers) {
        List<InetSocketAddress> addresses = servers.isEmpty()
                ? ResolverConfig.getCurrentConfig().servers()
                : servers.stream().map(NameServers::parse).toList();
        return resolver(addresses);
    }

    static Resolver resolver(InetSocketAddress server) {
        return resolver(List.of(server));
    }

    private static Resolver resolver(Collection<InetSocketAddress> servers) {
        return new ExtendedResolver(servers.stream().map(NameServers::one).toArray(Resolver[]::new));
    }

    private static Resolver one(InetSocketAddress server) {
        var resolver = new SimpleResolver(server);
        resolver.setTimeout(PATIENCE);
        return resolver;
    }
}
