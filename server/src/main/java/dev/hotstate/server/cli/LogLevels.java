package dev.hotstate.server.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.hotstate.server.config.Settings.LogLevel;
import org.slf4j.LoggerFactory;

/** Sets how much we log; libraries stay at warnings unless everything is wanted. */
final class LogLevels {
    private LogLevels() {}

    static void set(LogLevel level) {
        set("dev.hotstate", Level.valueOf(level.name()));
        if (level == LogLevel.TRACE) {
            set(Logger.ROOT_LOGGER_NAME, Level.DEBUG);
        }
    }

    private static void set(String name, Level level) {
        if (LoggerFactory.getLogger(name) instanceof Logger logger) {
            logger.setLevel(level);
        }
    }
}
