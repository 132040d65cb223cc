package dev.hotstate.core;

/** The name of one Redis key, made by its {@link KeyFamily}; the environment's prefix is added on the way out. */
public final class Key {
    private final KeyFamily family;
    private final String name;

    Key(KeyFamily family, String name) {
        this.family = family;
        this.name = name;
    }

    public KeyFamily family() {
        return family;
    }

    /** The name without the environment's prefix. */
    public String name() {
        return name;
    }

    /** What stands in the braces: keys with one tag share a slot. */
    public String tag() {
        return name.substring(1, name.indexOf('}'));
    }

    boolean sharesTagWith(Key other) {
        int end = name.indexOf('}') + 1;
        return name.regionMatches(0, other.name, 0, end);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key key && name.equals(key.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
