package dev.hotstate.audit.report;

import java.time.Instant;
import java.util.List;

/**
 * What the server was doing. Rates are from two looks.
 *
 * @param watchedMillis the time between the two
 * @param commands by calls a second, the busiest first
 * @param slow the newest entries of the slow logs, the newest first
 * @param clients by name, user and host, the most connections first
 */
public record Activity(
        long watchedMillis,
        double hitsPerSecond,
        double missesPerSecond,
        double evictedPerSecond,
        double expiredPerSecond,
        double slowPerMinute,
        List<CommandRate> commands,
        List<SlowEntry> slow,
        List<ClientGroup> clients) {

    /**
     * @param calls since the server's statistics began
     * @param callsPerSecond between the two looks
     * @param microsPerCall on average since they began
     */
    public record CommandRate(String command, long calls, double callsPerSecond, double microsPerCall) {}

    /** @param command its first words, escaped and cut; arguments may be secrets, so values are not shown */
    public record SlowEntry(String node, long id, Instant at, long micros, String command, String client) {}

    /** @param lastCommands what these connections sent last, without repeats */
    public record ClientGroup(
            String name, String user, String host, String library, int connections, List<String> lastCommands) {}

    public static final Activity NONE = new Activity(0, 0, 0, 0, 0, 0, List.of(), List.of(), List.of());

    public Activity {
        commands = List.copyOf(commands);
        slow = List.copyOf(slow);
        clients = List.copyOf(clients);
    }
}
