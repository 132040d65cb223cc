package dev.hotstate.audit.facts;

import java.util.List;
import java.util.Map;

/**
 * What one node told of itself, at two times. What it was not allowed to tell is empty.
 *
 * @param info INFO of the first look
 * @param later INFO of the second, the same where there was only one
 * @param seconds between the two
 * @param config the settings of {@link Settings#READ}
 * @param users the lines of ACL LIST
 * @param refusals ACL LOG
 * @param clients CLIENT LIST, of all looks together
 * @param slow SLOWLOG GET, the newest first
 * @param slowBetween entries of the slow log that came between the two looks
 * @param now the node's time, in seconds
 */
public record NodeFacts(
        Member member,
        Map<String, String> info,
        Map<String, String> later,
        double seconds,
        Map<String, String> config,
        List<AclUser> users,
        List<AclRefusal> refusals,
        List<Client> clients,
        List<SlowCommand> slow,
        long slowBetween,
        long now) {

    /** Something that was refused, so often. */
    public record AclRefusal(String reason, String object, String user, long count) {}

    /** A connection, by the fields of CLIENT LIST. */
    public record Client(Map<String, String> fields) {
        public String field(String name) {
            return fields.getOrDefault(name, "");
        }
    }

    public record SlowCommand(long id, long at, long micros, List<String> words, String client, String name) {}

    public long number(String field) {
        return Info.number(info, field);
    }

    /** How much a counter of INFO has grown between the two looks; nothing where it was reset. */
    public double growth(String field) {
        return Math.max(0, Info.decimal(later, field) - Info.decimal(info, field));
    }

    /** The calls of a command since the statistics began, and between the looks. */
    public Calls calls(String command) {
        Map<String, String> first = Info.parts(info.getOrDefault("cmdstat_" + command, ""));
        Map<String, String> second = Info.parts(later.getOrDefault("cmdstat_" + command, ""));
        long calls = Info.number(second, "calls");
        return new Calls(
                command,
                calls,
                Math.max(0, calls - Info.number(first, "calls")),
                Info.decimal(second, "usec_per_call"));
    }

    public record Calls(String command, long total, long between, double microsPerCall) {}

    /** Of all commands that were ever called. */
    public List<Calls> allCalls() {
        return later.keySet().stream()
                .filter(field -> field.startsWith("cmdstat_"))
                .map(field -> calls(field.substring("cmdstat_".length())))
                .toList();
    }

    /** A setting, from CONFIG or from what INFO says of it. */
    public String setting(String name) {
        String told = config.get(name);
        return told != null ? told : info.getOrDefault(name.replace('-', '_'), "");
    }
}
