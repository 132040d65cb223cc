package dev.hotstate.core;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;

/** What a failed attempt means: for the node's circuit, and for the question whether it may be repeated. */
enum Failure {
    /** Redis said no to the command itself. */
    REFUSED(false, false),
    /** Redis, or the way to it, was not ready, and surely did nothing. */
    NOT_RUN(true, true),
    /** The slot is on its way to another node; Redis did nothing. The node is well. */
    MIGRATING(true, false),
    /** The script is not in Redis's cache; Redis did nothing. */
    NO_SCRIPT(true, false),
    /** More calls are under way than the queue holds; this one was not sent. */
    OVERLOADED(false, false),
    /** The node's circuit is open; the call was not sent. */
    CIRCUIT_OPEN(false, false),
    /** The caller's thread was interrupted: it may have happened. */
    INTERRUPTED(false, false),
    /** No answer, or a connection that broke: it may have happened. */
    UNKNOWN(false, true);

    private static final List<String> NOT_READY = List.of("LOADING", "CLUSTERDOWN", "MASTERDOWN", "READONLY", "BUSY ");

    private final boolean safeToRepeat;
    private final boolean countsAgainstNode;

    Failure(boolean safeToRepeat, boolean countsAgainstNode) {
        this.safeToRepeat = safeToRepeat;
        this.countsAgainstNode = countsAgainstNode;
    }

    static Failure of(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof RedisCommandExecutionException) {
            return ofReply(message);
        }
        if (cause instanceof ClosedByInterruptException) {
            return INTERRUPTED;
        }
        if (cause instanceof TimeoutException || cause instanceof CancellationException) {
            return UNKNOWN;
        }
        if (cause instanceof RedisException) {
            if (message.startsWith("Request queue size exceeded")) {
                return OVERLOADED;
            }
            boolean neverSent = message.contains("not connected")
                    || message.startsWith("Connection is closed")
                    || message.startsWith("Unable to connect")
                    || message.startsWith("Cannot obtain connection")
                    || message.startsWith("Cannot determine");
            return neverSent ? NOT_RUN : UNKNOWN;
        }
        return UNKNOWN;
    }

    /** Another node serves the slot, or is about to; this one did nothing. */
    static boolean isRedirection(RedisCommandExecutionException refused) {
        String message = String.valueOf(refused.getMessage());
        return message.startsWith("MOVED ") || message.startsWith("ASK ");
    }

    /** An error raised inside a script names the script: what ran before it stays, so it is not safe to repeat. */
    private static Failure ofReply(String message) {
        if (message.contains(" script: ")) {
            return REFUSED;
        }
        if (message.startsWith("NOSCRIPT")) {
            return NO_SCRIPT;
        }
        if (message.startsWith("TRYAGAIN")) {
            return MIGRATING;
        }
        return NOT_READY.stream().anyMatch(message::startsWith) ? NOT_RUN : REFUSED;
    }

    boolean isSafeToRepeat() {
        return safeToRepeat;
    }

    boolean countsAgainstNode() {
        return countsAgainstNode;
    }
}
