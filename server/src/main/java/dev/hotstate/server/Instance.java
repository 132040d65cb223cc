package dev.hotstate.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** What this process calls itself: its host's name, and a word that no other process of the host has. */
final class Instance {
    private Instance() {}

    static String name() {
        return host() + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    private static String host() {
        try {
            var name = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9.-]", "-");
            return name.substring(0, Math.min(40, name.length()));
        } catch (UnknownHostException unnamed) {
            return "host";
        }
    }
}
