package dev.hotstate.audit.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.audit.report.KeyName;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A pattern as what stands between its colons. Literals are written as {@code KeyName} shows them, so any byte can be:
 * {@code \n}, {@code \x1b}; and {@code \<} where no variable is meant.
 */
public record Pattern(List<Template> segments) {

    /** @throws IllegalArgumentException saying what is wrong with the pattern or with its variables */
    public static Pattern parse(String pattern, List<Variable> variables) {
        Map<String, Variable> declared = variables.stream()
                .collect(Collectors.toMap(Variable::name, Function.identity(), (first, twice) -> {
                    throw new IllegalArgumentException("variables: <" + twice.name() + "> is declared twice");
                }));
        var reader = new Reader(pattern, declared, true);
        reader.read();
        for (String name : declared.keySet()) {
            if (!reader.used.contains(name)) {
                throw new IllegalArgumentException("variables: <" + name + "> is not in the pattern " + pattern);
            }
        }
        return new Pattern(reader.segments);
    }

    /** As one template, in which a colon is a sign like any other. */
    public static Template template(String text) {
        var reader = new Reader(text, Map.of(), false);
        reader.read();
        return reader.segments.getFirst();
    }

    /** Literals written so that {@link #parse} reads them back. */
    public static String quoted(byte[] literal) {
        return KeyName.shown(literal).replace("<", "\\<");
    }

    /** As a glob for ACL rules: each variable is a {@code *}. */
    String glob() {
        return segments.stream()
                .map(segment -> segment.parts().stream()
                        .map(part -> part.literal() == null ? "*" : glob(part.literal()))
                        .collect(Collectors.joining()))
                .collect(Collectors.joining(":"));
    }

    /** A rule takes no blanks, and its line no quotes: {@code ?} stands for each of them, and for bytes beyond ASCII. */
    public static String glob(byte[] literal) {
        StringBuilder glob = new StringBuilder();
        for (byte one : literal) {
            if (one <= ' ' || one == 127 || one == '"' || one == '\'') {
                glob.append('?');
            } else {
                glob.append("*?[]\\".indexOf(one) < 0 ? "" : "\\").append((char) one);
            }
        }
        return glob.toString();
    }

    private static final class Reader {
        private final String text;
        private final boolean colons;
        private final Map<String, Variable> declared;
        private final Set<String> used = new HashSet<>();
        private final List<Template> segments = new ArrayList<>();
        private final List<Template.Part> parts = new ArrayList<>();
        private final ByteArrayOutputStream literal = new ByteArrayOutputStream();
        private int at;

        Reader(String text, Map<String, Variable> declared, boolean colons) {
            this.colons = colons;
            this.text = text;
            this.declared = declared;
        }

        void read() {
            while (at < text.length()) {
                int c = text.codePointAt(at);
                at += Character.charCount(c);
                switch (c) {
                    case ':' -> {
                        if (colons) {
                            endSegment();
                        } else {
                            literal.write(c);
                        }
                    }
                    case '\\' -> escape();
                    case '<' -> variable();
                    default -> literal.writeBytes(Character.toString(c).getBytes(UTF_8));
                }
            }
            endSegment();
        }

        private void variable() {
            int close = text.indexOf('>', at);
            if (close < 0) {
                throw new IllegalArgumentException(
                        "pattern: " + text + " has a < without its >; write \\< for the sign");
            }
            String name = text.substring(at, close);
            at = close + 1;
            if (!used.add(name)) {
                throw new IllegalArgumentException("pattern: <" + name + "> stands in " + text + " twice");
            }
            endLiteral();
            if (!parts.isEmpty() && parts.getLast().variable() != null) {
                throw new IllegalArgumentException("pattern: nothing stands between two variables in " + text);
            }
            Variable variable = declared.getOrDefault(name, Variable.any(name));
            if (variable.kind() == Variable.Kind.REST && at < text.length()) {
                throw new IllegalArgumentException(
                        "pattern: <" + name + "> takes the rest, so it must be last in " + text);
            }
            parts.add(new Template.Part(null, variable));
        }

        private void escape() {
            char sign = at < text.length() ? text.charAt(at++) : '?';
            switch (sign) {
                case '\\', '<', '>' -> literal.write(sign);
                case 'n' -> literal.write('\n');
                case 'r' -> literal.write('\r');
                case 't' -> literal.write('\t');
                case 'x' -> literal.write(hex(2));
                case 'u' -> literal.writeBytes(Character.toString(hex(4)).getBytes(UTF_8));
                default ->
                    throw new IllegalArgumentException(
                            "pattern: after \\ in " + text + " stands one of \\ < > n r t x u");
            }
        }

        private int hex(int digits) {
            try {
                int value = Integer.parseInt(text, at, Math.min(text.length(), at + digits), 16);
                at += digits;
                return value;
            } catch (NumberFormatException none) {
                throw new IllegalArgumentException(
                        "pattern: " + text + " has an escape without its hexadecimal digits");
            }
        }

        private void endLiteral() {
            if (literal.size() > 0) {
                parts.add(new Template.Part(literal.toByteArray(), null));
                literal.reset();
            }
        }

        private void endSegment() {
            endLiteral();
            segments.add(new Template(List.copyOf(parts)));
            parts.clear();
        }
    }
}
