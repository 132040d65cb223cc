package dev.hotstate.monitors.check;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an assertion speaks of.
 *
 * @param path of {@code json}: names and indexes from the root; of {@code header}: its name alone, in lower case
 */
record Subject(Kind kind, List<Step> path) {

    Subject {
        path = List.copyOf(path);
    }

    @Override
    public String toString() {
        if (!kind.hasPath()) {
            return kind.word;
        }
        if (path.isEmpty()) {
            return kind.word + "($)";
        }
        var text = new StringBuilder(kind.word).append('(');
        for (Step step : path) {
            text.append(step.isPlain() && !text.toString().endsWith("(") ? "." : "")
                    .append(step);
        }
        return text.append(')').toString();
    }

    /** One step into JSON: a member by its name, or an element by its index. */
    record Step(String name, int index) {
        private static final String APART = ".[]()\"'";
        private static final String ROOT = "$";

        static Step member(String name) {
            return new Step(name, -1);
        }

        static Step element(int index) {
            return new Step("", index);
        }

        boolean isElement() {
            return index >= 0;
        }

        /** Whether it can be written without brackets. */
        boolean isPlain() {
            return !isElement()
                    && !name.isEmpty()
                    && !name.equals(ROOT)
                    && name.chars().allMatch(Step::isPlain);
        }

        static boolean isPlain(int c) {
            return c > ' ' && c != 0x7f && APART.indexOf(c) < 0 && !Character.isWhitespace(c);
        }

        @Override
        public String toString() {
            return isElement() ? "[" + index + "]" : isPlain() ? name : "[" + Quoted.of(name) + "]";
        }
    }

    enum Kind {
        STATUS("status", Nature.NUMBER, EnumSet.of(CheckType.HTTP)),
        LATENCY("latency", Nature.DURATION, EnumSet.complementOf(EnumSet.of(CheckType.PUSH))),
        BODY("body", Nature.TEXT, EnumSet.of(CheckType.HTTP)),
        JSON("json", Nature.ANY, EnumSet.of(CheckType.HTTP)),
        HEADER("header", Nature.TEXT, EnumSet.of(CheckType.HTTP)),
        DAYS_LEFT("certificate.days_left", Nature.NUMBER, EnumSet.of(CheckType.HTTP, CheckType.TLS)),
        ANSWERS("dns.answers", Nature.LIST, EnumSet.of(CheckType.DNS));

        private final String word;
        private final Nature nature;
        private final Set<CheckType> types;

        Kind(String word, Nature nature, Set<CheckType> types) {
            this.word = word;
            this.nature = nature;
            this.types = types;
        }

        static Optional<Kind> of(String word) {
            return Arrays.stream(values())
                    .filter(kind -> kind.word.equals(word))
                    .findFirst();
        }

        Nature nature() {
            return nature;
        }

        boolean isKnownTo(CheckType type) {
            return types.contains(type);
        }

        boolean hasPath() {
            return this == JSON || this == HEADER;
        }

        boolean needsBody() {
            return this == BODY || this == JSON;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /** What a subject's values are, as far as it is known before there is one. */
    enum Nature {
        NUMBER("an integer"),
        DURATION("a duration such as 500ms"),
        TEXT("text in quotes"),
        LIST("text or a list of texts"),
        ANY("a value");

        private final String words;

        Nature(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }
}
