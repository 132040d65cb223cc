package dev.hotstate.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A script's text with its includes in place, and the contract that its header states:
 *
 * <pre>
 * #!lua
 * -- Claims what is due and leases it under a new fence.
 * -- KEYS  incarnation, schedule, fences
 * -- ARGV  pass, now, max, lease_ms
 * -- REPLY CLAIMED fence now entries
 * -- REPLY REBUILDING
 * -- COST  O(max log n); max is at most 500
 * --@include guard
 * </pre>
 *
 * A name that ends in … stands for any number of keys. An include is one file with one function, beside the script or in
 * core's {@code include} folder.
 */
record ScriptSource(
        String name,
        String body,
        String sha,
        boolean readOnly,
        List<String> keys,
        List<String> args,
        Set<String> replies,
        Set<String> commands) {
    /** Also where a script calls {@code redis.call} by a shorter name: {@code local call = redis.call}. */
    private static final Pattern CALL = Pattern.compile("\\bp?call\\(\\s*'([A-Z]+)'");

    private static final String FLAGS = "no-writes or allow-oom";

    /** With {@code allow-oom} it runs also while Redis is full: because it frees memory, or ends what is under way. */
    private static final Set<String> SHEBANGS = Set.of("#!lua", "#!lua flags=no-writes", "#!lua flags=allow-oom");

    private static final String INCLUDE = "--@include ";

    static ScriptSource load(Class<?> home, String name) {
        String text = read(home, name + ".lua");
        List<String> lines = text.lines().toList();
        String shebang = lines.getFirst();
        if (!SHEBANGS.contains(shebang)) {
            throw refused(name, "it must begin with #!lua or #!lua flags=" + FLAGS + ", not " + shebang);
        }
        String body = expand(home, lines);
        Set<String> replies = new LinkedHashSet<>();
        header(lines, "REPLY").forEach(line -> replies.add(line.split("\\s+", 2)[0]));
        if (replies.isEmpty() || header(lines, "COST").isEmpty()) {
            throw refused(name, "its header must state every REPLY and its COST");
        }
        return new ScriptSource(
                name,
                body,
                Base16.digest(body.getBytes(UTF_8)),
                shebang.endsWith("no-writes"),
                names(name, lines, "KEYS"),
                names(name, lines, "ARGV"),
                Set.copyOf(replies),
                commands(body));
    }

    /** @throws IllegalArgumentException when it is called with more or fewer keys than its header names */
    void requireKeys(int given) {
        boolean anyNumber = !keys.isEmpty() && keys.getLast().endsWith("…");
        if (anyNumber ? given < keys.size() - 1 : given != keys.size()) {
            throw new IllegalArgumentException(name + ".lua takes the keys " + keys + ", not " + given + " of them");
        }
    }

    private static String expand(Class<?> home, List<String> lines) {
        StringBuilder body = new StringBuilder();
        for (String line : lines) {
            body.append(
                    line.startsWith(INCLUDE)
                            ? include(home, line.substring(INCLUDE.length()).trim())
                            : line);
            body.append('\n');
        }
        return body.toString();
    }

    private static String include(Class<?> home, String name) {
        String file = name + ".lua";
        boolean beside = home.getResource(file) != null;
        return beside ? read(home, file) : read(ScriptSource.class, "include/" + file);
    }

    private static List<String> names(String script, List<String> lines, String label) {
        List<String> stated = header(lines, label);
        if (stated.size() != 1) {
            throw refused(script, "its header must state " + label + " once");
        }
        return stated.getFirst().equals("none")
                ? List.of()
                : Arrays.asList(stated.getFirst().split(",\\s*"));
    }

    private static List<String> header(List<String> lines, String label) {
        List<String> found = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            if (!line.startsWith("--")) {
                break;
            }
            if (line.startsWith("-- " + label + " ")) {
                found.add(line.substring(4 + label.length()).trim());
            }
        }
        return found;
    }

    private static Set<String> commands(String body) {
        Set<String> commands = new TreeSet<>();
        Matcher calls = CALL.matcher(body);
        while (calls.find()) {
            commands.add(calls.group(1).toLowerCase(Locale.ROOT));
        }
        return commands;
    }

    private static String read(Class<?> home, String file) {
        try (InputStream in = home.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalArgumentException("there is no script " + file + " beside " + home.getName());
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static IllegalArgumentException refused(String name, String reason) {
        return new IllegalArgumentException(name + ".lua is refused: " + reason);
    }
}
