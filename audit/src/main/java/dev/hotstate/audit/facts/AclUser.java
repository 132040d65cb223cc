package dev.hotstate.audit.facts;

import java.util.ArrayList;
import java.util.List;

/**
 * A user as ACL LIST tells it.
 *
 * @param on whether anybody can be it
 * @param open whether it needs no password
 * @param selectors its rights: those of the user itself, and then those of each of its selectors. A command is allowed
 *     where one of them allows it; none takes away what another gives
 */
public record AclUser(String name, boolean on, boolean open, List<Selector> selectors) {

    /**
     * One set of rights.
     *
     * @param keys patterns without their sign; {@code *} for all
     * @param commands rules with their signs, in the order they apply
     */
    public record Selector(List<String> keys, List<String> commands) {
        public Selector {
            keys = List.copyOf(keys);
            commands = List.copyOf(commands);
        }

        private boolean hasAllCommands() {
            return commands.contains("+@all")
                    && commands.stream().noneMatch(rule -> rule.startsWith("-") && !rule.equals("-@all"));
        }
    }

    public AclUser {
        selectors = List.copyOf(selectors);
    }

    /** {@code user api on #hash ~prod:api:* &* -@all +get (~prod:* -@all +ttl)}; a parenthesis may stand in a pattern too. */
    static AclUser parse(String line) {
        String[] words = line.split(" ", 3);
        String[] parts = (words.length > 2 ? words[2] : "").split(" \\(");
        List<String> own = List.of(parts[0].split(" "));
        List<Selector> selectors = new ArrayList<>(List.of(selector(parts[0])));
        for (int i = 1; i < parts.length; i++) {
            selectors.add(selector(parts[i].replaceFirst("\\)$", "")));
        }
        return new AclUser(words.length > 1 ? words[1] : "", own.contains("on"), own.contains("nopass"), selectors);
    }

    private static Selector selector(String rules) {
        List<String> keys = new ArrayList<>();
        List<String> commands = new ArrayList<>();
        for (String word : rules.split(" ")) {
            switch (word) {
                case "allkeys" -> keys.add("*");
                case "allcommands" -> commands.add("+@all");
                case "nocommands" -> commands.add("-@all");
                default -> {
                    if (word.startsWith("~")) {
                        keys.add(word.substring(1));
                    } else if (word.startsWith("%")) {
                        keys.add(word.substring(word.indexOf('~') + 1));
                    } else if (word.startsWith("+") || word.startsWith("-")) {
                        commands.add(word);
                    }
                }
            }
        }
        return new Selector(keys, commands);
    }

    /** Patterns of all keys that it reaches in any way. */
    public List<String> keys() {
        return selectors.stream().flatMap(one -> one.keys().stream()).toList();
    }

    /** Rules of all its rights; what is allowed in the end is for each selector to say. */
    public List<String> commands() {
        return selectors.stream().flatMap(one -> one.commands().stream()).toList();
    }

    public boolean hasAllCommands() {
        return selectors.stream().anyMatch(Selector::hasAllCommands);
    }

    public boolean hasAllCommandsOnAllKeys() {
        return selectors.stream().anyMatch(one -> one.keys().contains("*") && one.hasAllCommands());
    }
}
