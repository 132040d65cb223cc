package dev.hotstate.bench.drill;

/** A drill ended otherwise than it must; everything else that a user needs was said before. */
public final class BrokenPromiseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BrokenPromiseException(String verdict) {
        super(verdict);
    }
}
