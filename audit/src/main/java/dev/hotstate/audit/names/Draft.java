package dev.hotstate.audit.names;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.hotstate.audit.report.KeyName;
import dev.hotstate.audit.schema.Pattern;
import dev.hotstate.audit.schema.Variable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds the patterns of names. Names are split at their separator, then looked at place by place: what looks like an id
 * (digits, a UUID, many of one skeleton such as {@code usr_#}) varies; of words, those vary that are too many to be chosen
 * by a person, and those whose names go on in the same way as their neighbours' ({@code bull:emails:wait} and
 * {@code bull:invoices:wait}: two queues). Every other word is literal.
 *
 * <p>Each name that is given fits one of the patterns. Text is handled as Latin-1, where each byte is a character.
 */
public final class Draft {
    /** A person chooses this many words for one place, hardly more. */
    private static final int WORDS = 24;

    /** First words are those of applications; hardly anybody lets them vary. */
    private static final int FIRST_WORDS = 60;

    private static final int MOST_SHAPES = 200;
    private static final int DEEPEST = 16;

    private final int words;
    private final List<Shape> shapes = new ArrayList<>();
    private final Set<String> named = new HashSet<>();

    private Draft(int words) {
        this.words = words;
    }

    /** In the order of their patterns: the same names give the same shapes, in whatever order they come. */
    public static List<Shape> of(Collection<byte[]> names) {
        Map<Character, List<String[]>> bySeparator = new TreeMap<>();
        for (byte[] name : names) {
            String text = new String(name, ISO_8859_1);
            char separator = separator(text);
            bySeparator.computeIfAbsent(separator, one -> new ArrayList<>()).add(split(text, separator));
        }
        Draft draft = new Draft(WORDS);
        for (int words = WORDS; words >= 1; words /= 3) {
            draft = new Draft(words);
            for (var group : bySeparator.entrySet()) {
                draft.place(group.getValue(), 0, new Path(group.getKey()));
            }
            if (draft.shapes.size() <= MOST_SHAPES) {
                break;
            }
        }
        return draft.shapes.stream()
                .sorted(Comparator.comparing(Shape::pattern))
                .toList();
    }

    private void place(List<String[]> group, int at, Path path) {
        Map<Braces, Map<String, List<String[]>>> byBraces = new TreeMap<>();
        boolean ends = false;
        for (String[] name : group) {
            if (name.length == at) {
                ends = true;
            } else {
                Braces braces = Braces.of(name[at]);
                byBraces.computeIfAbsent(braces, one -> new TreeMap<>())
                        .computeIfAbsent(braces.inner(name[at]), word -> new ArrayList<>())
                        .add(name);
            }
        }
        if (ends) {
            shapes.add(path.shape(named));
        }
        if (at == DEEPEST && !byBraces.isEmpty()) {
            shapes.add(path.rest().shape(named));
            return;
        }
        byBraces.forEach((braces, values) -> values(values, at, braces, path));
    }

    private void values(Map<String, List<String[]>> values, int at, Braces braces, Path path) {
        Places places = sorted(values, at, braces);
        for (Set<String> varying : places.varying) {
            List<String[]> union = varying.stream()
                    .flatMap(value -> values.getOrDefault(value, List.of()).stream())
                    .toList();
            place(union, at + 1, path.variable(braces, varying));
        }
        for (String word : places.literal) {
            place(values.getOrDefault(word, List.of()), at + 1, path.literal(braces, word));
        }
    }

    private record Places(List<String> literal, List<Set<String>> varying) {}

    private Places sorted(Map<String, List<String[]>> values, int at, Braces braces) {
        Set<String> ids = Words.ids(values.keySet());
        List<String> rest =
                values.keySet().stream().filter(word -> !ids.contains(word)).toList();
        boolean first = at == 0 && braces == Braces.NONE;
        if (rest.size() > (first ? Math.max(words, words * FIRST_WORDS / WORDS) : words)) {
            return tooMany(values, ids, rest);
        }
        List<Set<String>> varying = first ? new ArrayList<>() : alike(values, rest, at);
        Set<String> taken = new HashSet<>();
        varying.forEach(taken::addAll);
        if (!ids.isEmpty()) {
            join(values, varying, ids, at);
        }
        return new Places(rest.stream().filter(word -> !taken.contains(word)).toList(), varying);
    }

    /** Those that stand out by how often they are there stay literal: the fixed suffixes among many ids. */
    private Places tooMany(Map<String, List<String[]>> values, Set<String> ids, List<String> rest) {
        List<Integer> counts = rest.stream()
                .map(word -> values.getOrDefault(word, List.of()).size())
                .sorted()
                .toList();
        int usual = counts.get(counts.size() / 2);
        List<String> literal = rest.stream()
                .filter(word -> values.getOrDefault(word, List.of()).size() > 5 * usual)
                .toList();
        if (literal.size() > words) {
            literal = List.of();
        }
        Set<String> varying = new HashSet<>(ids);
        varying.addAll(rest);
        literal.forEach(varying::remove);
        return new Places(literal, List.of(varying));
    }

    /** Words whose names go on with the same words, at least two of them: instances of one thing. */
    private static List<Set<String>> alike(Map<String, List<String[]>> values, List<String> words, int at) {
        List<Set<String>> groups = new ArrayList<>();
        List<Set<String>> marks = new ArrayList<>();
        for (String word : words) {
            Set<String> mine = nextWords(values.getOrDefault(word, List.of()), at);
            int found = -1;
            for (int i = 0; i < groups.size() && found < 0; i++) {
                found = isAlike(marks.get(i), mine) ? i : -1;
            }
            if (found < 0) {
                groups.add(new HashSet<>(Set.of(word)));
                marks.add(mine);
            } else {
                groups.get(found).add(word);
                marks.get(found).addAll(mine);
            }
        }
        groups.removeIf(group -> group.size() < 2);
        return groups;
    }

    /** Ids and words that go on in the same way are values of one variable. */
    private static void join(Map<String, List<String[]>> values, List<Set<String>> varying, Set<String> ids, int at) {
        Set<String> idMarks = new HashSet<>();
        ids.forEach(id -> idMarks.addAll(nextWords(values.getOrDefault(id, List.of()), at)));
        for (Set<String> group : varying) {
            Set<String> marks = new HashSet<>();
            group.forEach(word -> marks.addAll(nextWords(values.getOrDefault(word, List.of()), at)));
            if (isAlike(marks, idMarks)) {
                group.addAll(ids);
                return;
            }
        }
        varying.add(ids);
    }

    private static boolean isAlike(Set<String> some, Set<String> others) {
        long common = some.stream().filter(others::contains).count();
        return common >= 2 && common * 2 >= Math.min(some.size(), others.size());
    }

    private static Set<String> nextWords(List<String[]> names, int at) {
        Set<String> next = new HashSet<>();
        for (String[] name : names) {
            if (name.length > at + 1) {
                next.add(name[at + 1]);
            }
        }
        next.removeAll(Words.ids(next));
        return next;
    }

    private static String[] split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int to = text.indexOf(separator); to >= 0; to = text.indexOf(separator, from)) {
            parts.add(text.substring(from, to));
            from = to + 1;
        }
        parts.add(text.substring(from));
        return parts.toArray(String[]::new);
    }

    private static char separator(String name) {
        for (char separator : new char[] {':', '/', '|', '.'}) {
            if (name.indexOf(separator) >= 0) {
                return separator;
            }
        }
        return ':';
    }

    /** Whether a place has the signs of a hash tag around it; a tag with a colon in it has each in another place. */
    private enum Braces {
        NONE,
        OPEN,
        CLOSE,
        BOTH;

        static Braces of(String word) {
            boolean open = word.length() > 1 && word.startsWith("{");
            boolean close = word.length() > (open ? 2 : 1) && word.endsWith("}");
            return open ? close ? BOTH : OPEN : close ? CLOSE : NONE;
        }

        String inner(String word) {
            return word.substring(
                    this == OPEN || this == BOTH ? 1 : 0, word.length() - (this == CLOSE || this == BOTH ? 1 : 0));
        }

        String around(String inner) {
            return (this == OPEN || this == BOTH ? "{" : "") + inner + (this == CLOSE || this == BOTH ? "}" : "");
        }
    }

    /** The way from the first place to here. */
    private record Path(char separator, List<String> parts, List<String> literals, Map<String, Variable> variables) {
        Path(char separator) {
            this(separator, List.of(), List.of(), Map.of());
        }

        Path literal(Braces braces, String word) {
            List<String> words = new ArrayList<>(literals);
            if (!word.isEmpty()) {
                words.add(word);
            }
            return with(braces.around(Pattern.quoted(word.getBytes(ISO_8859_1))), words, variables);
        }

        Path variable(Braces braces, Set<String> values) {
            boolean ids = Words.ids(values).size() * 2 > values.size();
            String name = free(braces == Braces.BOTH ? "tag" : ids ? "id" : "name");
            Map<String, Variable> more = new LinkedHashMap<>(variables);
            more.put(name, new Variable(name, Words.kind(values), 0));
            return with(braces.around("<" + name + ">"), literals, more);
        }

        Path rest() {
            Map<String, Variable> more = new LinkedHashMap<>(variables);
            String name = free("rest");
            more.put(name, new Variable(name, Variable.Kind.REST, 0));
            return with("<" + name + ">", literals, more);
        }

        Shape shape(Set<String> named) {
            String words = literals.isEmpty()
                    ? "keys"
                    : KeyName.shown(
                            String.join(String.valueOf(separator), literals).getBytes(ISO_8859_1));
            String name = words;
            for (int i = 2; !named.add(name); i++) {
                name = words + "-" + i;
            }
            return new Shape(name, String.join(String.valueOf(separator), parts), List.copyOf(variables.values()));
        }

        private Path with(String part, List<String> words, Map<String, Variable> more) {
            List<String> longer = new ArrayList<>(parts);
            longer.add(part);
            return new Path(separator, longer, words, more);
        }

        private String free(String name) {
            String free = name;
            for (int i = 2; variables.containsKey(free); i++) {
                free = name + i;
            }
            return free;
        }
    }
}
