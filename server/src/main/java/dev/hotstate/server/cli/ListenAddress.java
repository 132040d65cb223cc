package dev.hotstate.server.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Whether the server could listen where it is told to: asked first, so that a busy port costs no start of servers. */
final class ListenAddress {
    private ListenAddress() {}

    /** What is wrong, as one sentence with its remedy; empty if the address can be taken. */
    static String fault(String host, int port) {
        var address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            return "the host " + host + " is unknown here; give an address of this machine with --host";
        }
        try (var socket = new ServerSocket()) {
            socket.bind(address, 1);
            return "";
        } catch (IOException refused) {
            return "cannot listen on " + host + ":" + port + " (" + refused.getMessage()
                    + "); give another address with --host or --port (0 takes any free port)";
        }
    }
}
