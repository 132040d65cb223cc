package dev.hotstate.audit;

import dev.hotstate.core.RedisAddress;

/**
 * What is audited.
 *
 * @param replicas whether keys are read from replicas where there are some, which spares the masters
 */
public record AuditTarget(RedisAddress address, boolean replicas) {

    /** @throws IllegalArgumentException saying what is wrong with the URL, without its password */
    public static AuditTarget of(String url) {
        return new AuditTarget(RedisAddress.parse(url), true);
    }

    /** Masters alone: what they hold now, and not what a replica has heard of. */
    public AuditTarget onMasters() {
        return new AuditTarget(address, false);
    }
}
