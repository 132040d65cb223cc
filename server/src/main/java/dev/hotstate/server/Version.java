package dev.hotstate.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build, which Maven writes into a resource. */
public final class Version {
    private Version() {}

    public static String current() {
        try (var resource = Version.class.getResourceAsStream("version.properties")) {
            var properties = new Properties();
            properties.load(resource);
            return properties.getProperty("version", "unknown");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
