package dev.hotstate.monitors.check;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.xbill.DNS.Address;

/** Addresses as text, without ever asking a name server. */
final class Addresses {
    private Addresses() {}

    /**
     * The address that a text is, in the usual forms only: 0x7f.1 and 2130706433 are names, which nobody resolves, and not
     * ways around the rules.
     */
    static Optional<InetAddress> literal(String text) {
        int family = text.indexOf(':') >= 0 ? Address.IPv6 : Address.IPv4;
        byte[] bytes = Address.toByteArray(text, family);
        return bytes == null ? Optional.empty() : Optional.of(address(text, bytes));
    }

    /** With the name that was asked for, so that nothing ever looks for another. */
    static InetAddress address(String name, byte[] bytes) {
        try {
            return InetAddress.getByAddress(name, bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are no address", e);
        }
    }
}
