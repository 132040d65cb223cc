package dev.hotstate.bench;

import dev.hotstate.testkit.RedisServer;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How often Redis ran some commands, and how long they held it, by its own count. A script's time has its commands in it. */
record CommandTime(long calls, long micros) {
    private static final Pattern STAT = Pattern.compile("calls=(\\d+),usec=(\\d+),.*");

    static CommandTime of(RedisServer redis, Set<String> commands) {
        Map<String, String> stats = redis.info("commandstats");
        CommandTime sum = new CommandTime(0, 0);
        for (String command : commands) {
            sum = sum.plus(parse(stats.getOrDefault("cmdstat_" + command, "calls=0,usec=0,")));
        }
        return sum;
    }

    CommandTime minus(CommandTime earlier) {
        return new CommandTime(calls - earlier.calls, micros - earlier.micros);
    }

    private CommandTime plus(CommandTime other) {
        return new CommandTime(calls + other.calls, micros + other.micros);
    }

    private static CommandTime parse(String stat) {
        Matcher figures = STAT.matcher(stat);
        if (!figures.matches()) {
            throw new IllegalStateException("Redis counts its commands otherwise than known: " + stat);
        }
        return new CommandTime(Long.parseLong(figures.group(1)), Long.parseLong(figures.group(2)));
    }
}
