package dev.hotstate.limits;

/** What a rule decides while Redis does not answer. */
public enum OnError {
    /** Everything is allowed. */
    OPEN,
    /** Nothing is allowed. */
    CLOSED,
    /** Each process limits by itself: n of them let through n times as much. */
    LOCAL
}
