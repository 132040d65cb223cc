package dev.hotstate.server.cli;

import dev.hotstate.server.config.Settings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that set configuration, shared by every command that needs one. */
final class SettingsOptions {
    @Option(names = "--config", paramLabel = "FILE", description = "Configuration file (default: hotstate.yaml here).")
    private @Nullable String config;

    @Option(names = "--host", paramLabel = "ADDRESS", description = "Address to listen on (default: 127.0.0.1).")
    private @Nullable String host;

    @Option(names = "--port", paramLabel = "PORT", description = "Port to listen on, 0 for any (default: 8080).")
    private @Nullable String port;

    @Option(names = "--data", paramLabel = "DIR", description = "Folder of the embedded servers (default: .hotstate).")
    private @Nullable String data;

    @Option(names = "--redis", paramLabel = "URL", description = "Redis to use (default: an embedded one).")
    private @Nullable String redis;

    @Option(names = "--postgres", paramLabel = "URL", description = "PostgreSQL to use (default: an embedded one).")
    private @Nullable String postgres;

    /** Reads file, environment and these options, and sets the level of the log. */
    Settings load() {
        var settings = Settings.load(Path.of("").toAbsolutePath(), System.getenv(), flags());
        LogLevels.set(settings.logLevel());
        return settings;
    }

    private Map<String, String> flags() {
        var flags = new LinkedHashMap<String, String>();
        put(flags, "--config", config);
        put(flags, "--host", host);
        put(flags, "--port", port);
        put(flags, "--data", data);
        put(flags, "--redis", redis);
        put(flags, "--postgres", postgres);
        return flags;
    }

    private static void put(Map<String, String> flags, String flag, @Nullable String text) {
        if (text != null) {
            flags.put(flag, text);
        }
    }
}
