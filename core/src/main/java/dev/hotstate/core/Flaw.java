package dev.hotstate.core;

/**
 * What is wrong with one field of a document.
 *
 * @param field its path as the API spells it: {@code assertions[1]}, in a list {@code [3].interval}
 */
public record Flaw(String field, String message) {
    @Override
    public String toString() {
        return field + " " + message;
    }

    public Flaw under(String place) {
        return new Flaw(place + field, message);
    }
}
