package dev.hotstate.monitors.check;

import java.net.InetAddress;

/**
 * A range of addresses, such as {@code 169.254.0.0/16} or {@code fe80::/10}; a single address without a slash.
 *
 * @param bits how many of the address's first bits all of them share
 */
public record Cidr(InetAddress address, int bits) {
    public Cidr {
        int most = address.getAddress().length * 8;
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException("a range of addresses has 0 to " + most + " bits, not " + bits);
        }
    }

    /** @throws IllegalArgumentException naming the text that is no range */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        String written = slash < 0 ? text : text.substring(0, slash);
        InetAddress address = Addresses.literal(written).orElseThrow(() -> refused(text));
        int most = address.getAddress().length * 8;
        String bits = slash < 0 ? String.valueOf(most) : text.substring(slash + 1);
        if (!bits.matches("\\d{1,3}") || Integer.parseInt(bits) > most) {
            throw refused(text);
        }
        return new Cidr(address, Integer.parseInt(bits));
    }

    boolean holds(byte[] other) {
        byte[] own = address.getAddress();
        if (own.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit += 8) {
            int mask = bits - bit >= 8 ? 0xff : 0xff << (8 - (bits - bit)) & 0xff;
            if (((own[bit / 8] ^ other[bit / 8]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    private static IllegalArgumentException refused(String text) {
        return new IllegalArgumentException(
                "\"" + Quoted.excerpt(text, 60) + "\" is not a range of addresses such as 10.0.0.0/8 or fe80::/10");
    }

    @Override
    public String toString() {
        return address.getHostAddress() + "/" + bits;
    }
}
