package dev.hotstate.limits;

/** Who answered a check. */
public enum DecidedBy {
    /** Redis, for the whole fleet. */
    REDIS,
    /** This process: it remembers a denial, holds leased quota, or Redis is away and the rule says {@link OnError#LOCAL}. */
    LOCAL,
    /** Nobody: Redis is away and the rule says {@link OnError#OPEN}. */
    OPEN,
    /** Nobody: Redis is away and the rule says {@link OnError#CLOSED}. */
    CLOSED
}
