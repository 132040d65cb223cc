package dev.hotstate.monitors.check;

/**
 * Why a check failed, and whether it is worth to ask again soon. The one table of retries: what passes by itself within
 * seconds is asked again before it counts; what somebody must repair is not, so that it is told at once.
 */
enum Failure {
    /** Nobody listens: a process restarts within seconds. */
    REFUSED(true),
    /** No route: networks converge within seconds. */
    UNREACHABLE(true),
    /** A packet was lost, or the target was busy. */
    TIMED_OUT(true),
    /** It hung up: a restart, or a full backlog. */
    CLOSED(true),
    /** It is not the protocol that was asked for: a proxy that starts may speak before its back end does. */
    GARBLED(true),
    /** The handshake broke off for a reason that is not the certificate: often a proxy that restarts. */
    HANDSHAKE(true),
    /** 5xx, 408, 425 and 429 say "not now". */
    STATUS_FOR_NOW(true),
    /** Every other status is what the target means to say. */
    STATUS(false),
    /** A latency, a body, a header or an answer differs: the next one may not. */
    EXPECTATION(true),
    /** The server is there but says that it cannot serve yet: it loads its data, it starts, it is full. */
    NOT_READY(true),
    /** A wrong password stays wrong, and asking again may lock the account. */
    DENIED(false),
    /** The name's servers failed or were silent. */
    NAME_SERVER(true),
    /** The name's servers say that there is no such name; resolvers keep that for longer than a retry takes. */
    NAME_UNKNOWN(false),
    /** A certificate's date does not get better. */
    CERTIFICATE_DATE(false),
    /** Nor does its host name. */
    CERTIFICATE_NAME(false),
    /** Nor does its issuer. */
    CERTIFICATE_CHAIN(false),
    /** The address must not be asked, and each time it is tried it is refused. */
    ADDRESS_BANNED(false),
    /** A loop of redirects, too many, or one to nowhere is how the target is set up. */
    REDIRECT(false),
    /** What is asked for cannot be asked. */
    TARGET(false),
    /** The check was broken off by us. */
    INTERRUPTED(true);

    private final boolean retryable;

    Failure(boolean retryable) {
        this.retryable = retryable;
    }

    static Failure ofStatus(int status) {
        return status >= 500 || status == 408 || status == 425 || status == 429 ? STATUS_FOR_NOW : STATUS;
    }

    boolean isRetryable() {
        return retryable;
    }
}
