package dev.hotstate.monitors.check;

import dev.hotstate.monitors.check.Evidence.Phase;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;

/** The one way to a target: names become addresses, addresses are judged, and exactly those are connected to. */
final class Dialer {
    private final NameResolver names;
    private final AddressRules rules;

    Dialer(NameResolver names, AddressRules rules) {
        this.names = names;
        this.rules = rules;
    }

    /** A connected socket, which the deadline closes. */
    Socket dial(Target target, Deadline deadline, Evidence evidence) throws CheckFailedException {
        List<InetAddress> addresses = addresses(target.host(), deadline, evidence);
        long start = System.nanoTime();
        try {
            return connect(addresses, target.port(), deadline);
        } finally {
            evidence.spent(Phase.CONNECT, start);
        }
    }

    /** Those that may be asked, at least one. */
    List<InetAddress> addresses(String host, Deadline deadline, Evidence evidence) throws CheckFailedException {
        List<InetAddress> all = names.addresses(host, deadline, evidence);
        List<InetAddress> permitted = all.stream().filter(rules::permit).toList();
        if (permitted.isEmpty()) {
            throw new CheckFailedException(
                    Failure.ADDRESS_BANNED,
                    all.getFirst().getHostAddress() + " must not be asked: it is link-local, a metadata service,"
                            + " multicast or no host's address, and the configuration does not allow it");
        }
        return permitted;
    }

    /** One after the other; the first ones leave the last ones their share of the time. */
    private static Socket connect(List<InetAddress> addresses, int port, Deadline deadline)
            throws CheckFailedException {
        int last = addresses.size() - 1;
        for (int i = 0; i < last; i++) {
            var address = new InetSocketAddress(addresses.get(i), port);
            int share = Math.max(1, deadline.leftMillis(connecting(address)) / (addresses.size() - i));
            try {
                return connect(address, share, deadline);
            } catch (CheckFailedException e) {
                if (e.failure() == Failure.INTERRUPTED) {
                    throw e;
                }
            }
        }
        var address = new InetSocketAddress(addresses.get(last), port);
        return connect(address, deadline.leftMillis(connecting(address)), deadline);
    }

    private static Socket connect(InetSocketAddress address, int millis, Deadline deadline)
            throws CheckFailedException {
        Socket socket = deadline.guard(new Socket());
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address, millis);
            return socket;
        } catch (IOException e) {
            throw failed(e, address, deadline);
        }
    }

    private static CheckFailedException failed(IOException e, InetSocketAddress address, Deadline deadline) {
        String message = String.valueOf(e.getMessage());
        if (e instanceof SocketTimeoutException || message.contains("timed out")) {
            return deadline.missed(connecting(address));
        }
        if (e instanceof ConnectException && message.contains("refused")) {
            return new CheckFailedException(Failure.REFUSED, "connection to " + text(address) + " refused");
        }
        if (e instanceof NoRouteToHostException || message.contains("unreachable")) {
            return new CheckFailedException(Failure.UNREACHABLE, "no route to " + text(address));
        }
        return CheckFailedException.of(e, deadline, connecting(address));
    }

    private static String connecting(InetSocketAddress address) {
        return "connecting to " + text(address);
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
