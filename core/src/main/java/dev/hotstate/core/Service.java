package dev.hotstate.core;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What one module needs of Redis: its key families, its scripts, and the commands it sends beside them. Each module
 * declares one in its {@code …Keys} class; documents, ACL rules and the auditor's schema are printed from it.
 */
public record Service(String name, List<KeyFamily> families, List<Script<?>> scripts, Set<String> commands) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");
    private static final Pattern COMMAND = Pattern.compile("[a-z]+(\\|[a-z-]+)?");

    public Service {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a service is called a-z 0-9 -, beginning with a letter, not \"" + name
                    + "\": its ACL user is named after it");
        }
        for (String command : commands) {
            if (!COMMAND.matcher(command).matches()) {
                throw new IllegalArgumentException("the commands of " + name
                        + " are written as ACL rules name them, hget or memory|usage, not \"" + command + "\"");
            }
        }
        families = List.copyOf(families);
        scripts = List.copyOf(scripts);
        commands = Set.copyOf(commands);
        for (KeyFamily family : families) {
            if (!family.owner().equals(name)) {
                throw new IllegalArgumentException(
                        family + " names " + family.owner() + " as its owner, but " + name + " declares it");
            }
        }
    }

    /** Every command that a user of this service must be allowed, those inside its scripts included. */
    Set<String> allCommands() {
        Set<String> all = new TreeSet<>(commands);
        scripts.forEach(script -> all.addAll(script.commands()));
        return all;
    }
}
