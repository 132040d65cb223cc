package dev.hotstate.jobs.work;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.function.Predicate;
import org.apache.hc.client5.http.DnsResolver;

/** Looks up names and lets only allowed addresses through; what it answers is what is connected to. */
record AllowedAddresses(Predicate<InetAddress> allowed) implements DnsResolver {

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] found = InetAddress.getAllByName(host);
        InetAddress[] fit = Arrays.stream(found).filter(allowed).toArray(InetAddress[]::new);
        if (fit.length == 0) {
            throw new RefusedException(host, found[0]);
        }
        return fit;
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }

    static final class RefusedException extends UnknownHostException {
        private static final long serialVersionUID = 1;

        RefusedException(String host, InetAddress address) {
            super(host + " has the address " + address.getHostAddress() + ", which tasks may not ask");
        }
    }
}
