package dev.hotstate.server.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/** A free loopback port: the one of the last time if it still is free, so that a restart changes nothing. */
final class RememberedPort {
    private RememberedPort() {}

    static int of(Path file) throws IOException {
        int last = DataFolder.number(file).map(Long::intValue).orElse(0);
        int port = last > 0 && isFree(last) ? last : anyFree();
        Files.writeString(file, Integer.toString(port));
        return port;
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static int anyFree() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
