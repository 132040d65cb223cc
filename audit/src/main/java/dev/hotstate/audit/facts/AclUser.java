package dev.hotstate.audit.facts;

import java.util.ArrayList;
import java.util.List;

/**
 * A user as ACL LIST prints it: {@code user api on #hash ~prod:api:* &* -@all +get +set}.
 *
 * @param on whether anybody can be it
 * @param open whether it needs no password
 * @param keys patterns without their sign; {@code *} for all
 * @param commands rules with their signs, in the order they apply
 */
public record AclUser(
        String name, boolean on, boolean open, List<String> keys, List<String> channels, List<String> commands) {

    static AclUser parse(String line) {
        // A selector is another set of rights of the same user; its rights count like the others.
        String[] words = line.replace("(", " ").replace(")", " ").trim().split("\\s+");
        List<String> keys = new ArrayList<>();
        List<String> channels = new ArrayList<>();
        List<String> commands = new ArrayList<>();
        boolean on = false;
        boolean open = false;
        for (int i = 2; i < words.length; i++) {
            String word = words[i];
            switch (word) {
                case "on" -> on = true;
                case "nopass" -> open = true;
                case "allkeys" -> keys.add("*");
                case "allchannels" -> channels.add("*");
                case "allcommands" -> commands.add("+@all");
                case "nocommands" -> commands.add("-@all");
                default -> {
                    if (word.startsWith("~")) {
                        keys.add(word.substring(1));
                    } else if (word.startsWith("%")) {
                        keys.add(word.substring(word.indexOf('~') + 1));
                    } else if (word.startsWith("&")) {
                        channels.add(word.substring(1));
                    } else if (word.startsWith("+") || word.startsWith("-")) {
                        commands.add(word);
                    }
                }
            }
        }
        return new AclUser(
                words.length > 1 ? words[1] : "", on, open, List.copyOf(keys), List.copyOf(channels), commands);
    }

    public boolean hasAllKeys() {
        return keys.contains("*");
    }

    public boolean hasAllCommands() {
        return commands.stream().anyMatch("+@all"::equals)
                && commands.stream().noneMatch(rule -> rule.startsWith("-") && !rule.equals("-@all"));
    }
}
