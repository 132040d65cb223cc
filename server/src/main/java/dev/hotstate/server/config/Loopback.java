package dev.hotstate.server.config;

/** Tells by its spelling whether a host is this machine alone; a name that must be looked up is not trusted. */
final class Loopback {
    private Loopback() {}

    static boolean is(String host) {
        return host.equalsIgnoreCase("localhost")
                || host.matches("127(\\.\\d{1,3}){3}")
                || host.matches("\\[?(::1|0:0:0:0:0:0:0:1)]?");
    }
}
