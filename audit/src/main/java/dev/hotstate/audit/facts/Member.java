package dev.hotstate.audit.facts;

import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * A node of the deployment.
 *
 * @param replica whether it is one
 * @param master the address of the one it copies; null of a master, or where it is not known
 * @param slots how many it serves
 * @param connection null where it did not answer
 * @param failure why it did not, or nothing
 */
public record Member(
        Endpoint endpoint,
        boolean replica,
        @Nullable String master,
        int slots,
        @Nullable Connection connection,
        String failure) {

    public String address() {
        return endpoint.address();
    }

    public boolean isUp() {
        return connection != null;
    }
}
