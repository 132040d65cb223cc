package dev.hotstate.core;

import java.util.List;
import java.util.stream.Collectors;

/** A document is not as it must be; everything that is wrong with it is told at once. */
public final class InvalidDocumentException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private static final int TOLD = 5;

    private final transient List<Flaw> flaws;

    public InvalidDocumentException(List<Flaw> flaws) {
        super(sentence(flaws));
        this.flaws = List.copyOf(flaws);
    }

    public List<Flaw> flaws() {
        return flaws;
    }

    private static String sentence(List<Flaw> flaws) {
        String first = flaws.stream().limit(TOLD).map(Flaw::toString).collect(Collectors.joining("; "));
        return flaws.size() <= TOLD ? first : first + "; and " + (flaws.size() - TOLD) + " more";
    }
}
