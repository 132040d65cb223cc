package dev.hotstate.traffic;

/** Whether a request came from this machine itself. */
public final class Loopback {
    private Loopback() {}

    /** @param address as a container tells it: numbers, not a name; IPv6 also in brackets or with its network interface */
    public static boolean is(String address) {
        return isNumber(address.replaceAll("^\\[|\\]$|%[^\\]]*", ""));
    }

    private static boolean isNumber(String address) {
        return address.startsWith("127.")
                || address.equals("::1")
                || address.equals("0:0:0:0:0:0:0:1")
                || address.startsWith("::ffff:127.");
    }
}
