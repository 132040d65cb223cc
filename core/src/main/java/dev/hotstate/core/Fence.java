package dev.hotstate.core;

/**
 * What a claim shows with each later write: new and greater at each claim, unchanged by a heartbeat. To those who carry it
 * it is an opaque word; only its order means something.
 */
public record Fence(long incarnation, long count) implements Comparable<Fence> {

    /** @throws IllegalArgumentException where the text is no fence */
    public static Fence parse(String text) {
        int dash = text.indexOf('-');
        try {
            return new Fence(Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
        } catch (NumberFormatException | IndexOutOfBoundsException malformed) {
            throw new IllegalArgumentException("\"" + text + "\" is not a fence", malformed);
        }
    }

    @Override
    public int compareTo(Fence other) {
        int byIncarnation = Long.compare(incarnation, other.incarnation);
        return byIncarnation != 0 ? byIncarnation : Long.compare(count, other.count);
    }

    @Override
    public String toString() {
        return incarnation + "-" + count;
    }
}
