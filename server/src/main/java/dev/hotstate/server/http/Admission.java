package dev.hotstate.server.http;

import org.jspecify.annotations.Nullable;

/** Asked whether a request may go on once it is known who sent it, and before anything is done for it. */
@FunctionalInterface
public interface Admission {
    /**
     * @param caller who calls; null when nobody needs to be known, or when the credentials were not good
     * @param address where the request comes from
     * @throws Problem to refuse it
     */
    void admit(@Nullable Caller caller, String address);
}
