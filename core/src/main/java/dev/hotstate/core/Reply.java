package dev.hotstate.core;

import java.util.List;

/** What a script answered: a word that says what happened, then its figures. */
public final class Reply {
    private final String word;
    private final List<?> parts;

    Reply(List<?> parts) {
        this.word = (String) parts.getFirst();
        this.parts = parts;
    }

    public String word() {
        return word;
    }

    /** How many parts follow the word. */
    public int size() {
        return parts.size() - 1;
    }

    /** The i-th part after the word, from 0. */
    public String text(int i) {
        return parts.get(i + 1).toString();
    }

    public long number(int i) {
        Object part = parts.get(i + 1);
        return part instanceof Long number ? number : Long.parseLong(part.toString());
    }

    public List<String> list(int i) {
        return texts((List<?>) parts.get(i + 1));
    }

    /** The i-th part after the word and all that follow it. */
    public List<String> textsFrom(int i) {
        return texts(parts.subList(i + 1, parts.size()));
    }

    private static List<String> texts(List<?> parts) {
        return parts.stream().map(Object::toString).toList();
    }
}
