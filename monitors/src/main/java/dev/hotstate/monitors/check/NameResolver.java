package dev.hotstate.monitors.check;

import dev.hotstate.monitors.check.Evidence.Phase;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Cache;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;

/**
 * Addresses of names, by the hosts file and the name servers. Not by {@link InetAddress}: its lookup cannot be given up,
 * and holds a thread of the machine for as long as a server is silent.
 */
final class NameResolver {
    /** A changed address is seen this many seconds later at most, and a name is asked for at most so often. */
    private static final int LONGEST_KEPT = 30;

    private final LookupSession names;

    NameResolver(Resolver resolver) {
        ResolverConfig system = ResolverConfig.getCurrentConfig();
        var cache = new Cache(DClass.IN);
        cache.setMaxCache(LONGEST_KEPT);
        cache.setMaxNCache(0);
        this.names = LookupSession.builder()
                .resolver(resolver)
                .cache(cache)
                .defaultHostsFileParser()
                .searchPath(system.searchPath())
                .ndots(system.ndots())
                .executor(Runnable::run)
                .build();
    }

    /** At least one; those of IPv6 only where there is none of IPv4, so that one question is enough. */
    List<InetAddress> addresses(String host, Deadline deadline, Evidence evidence) throws CheckFailedException {
        Optional<InetAddress> literal = Addresses.literal(host);
        if (literal.isPresent()) {
            return List.of(literal.get());
        }
        if (host.equals("localhost") || host.endsWith(".localhost")) {
            return List.of(Addresses.address(host, new byte[] {127, 0, 0, 1}));
        }
        long start = System.nanoTime();
        try {
            List<InetAddress> four = lookup(host, Type.A, deadline);
            return four.isEmpty() ? six(host, deadline) : four;
        } finally {
            evidence.spent(Phase.DNS, start);
        }
    }

    private List<InetAddress> six(String host, Deadline deadline) throws CheckFailedException {
        List<InetAddress> six = lookup(host, Type.AAAA, deadline);
        if (six.isEmpty()) {
            throw new CheckFailedException(Failure.NAME_UNKNOWN, host + " has no address");
        }
        return six;
    }

    private List<InetAddress> lookup(String host, int type, Deadline deadline) throws CheckFailedException {
        try {
            var found = await(names.lookupAsync(Name.fromString(host), type), "resolving " + host, deadline);
            return found.getRecords().stream().map(one -> address(host, one)).toList();
        } catch (TextParseException e) {
            throw new CheckFailedException(Failure.TARGET, host + " cannot be the name of a host");
        } catch (ExecutionException e) {
            return none(host, e.getCause() == null ? e : e.getCause(), deadline);
        }
    }

    private static InetAddress address(String host, Record record) {
        return switch (record) {
            case ARecord four -> Addresses.address(host, four.getAddress().getAddress());
            case AAAARecord six -> Addresses.address(host, six.getAddress().getAddress());
            default -> throw new IllegalStateException("no address: " + record);
        };
    }

    private static List<InetAddress> none(String host, Throwable cause, Deadline deadline) throws CheckFailedException {
        if (cause instanceof NoSuchRRSetException) {
            return List.of();
        }
        if (cause instanceof NoSuchDomainException) {
            throw new CheckFailedException(Failure.NAME_UNKNOWN, host + " does not resolve: there is no such name");
        }
        if (deadline.hasPassed()) {
            throw deadline.missed("resolving " + host);
        }
        throw new CheckFailedException(
                Failure.NAME_SERVER, host + " does not resolve: its name servers fail or are silent");
    }

    /** Waits for what a name server answers, but not beyond the deadline. */
    static <T> T await(CompletionStage<T> answer, String doing, Deadline deadline)
            throws CheckFailedException, ExecutionException {
        var future = answer.toCompletableFuture();
        try {
            return future.get(deadline.leftMillis(doing), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            future.cancel(false);
            throw deadline.missed(doing);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CheckFailedException(Failure.INTERRUPTED, "interrupted while " + doing);
        }
    }
}
