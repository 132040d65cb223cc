/**
 * Rate limits in the server. {@link dev.hotstate.server.limits.LimitsFeature} puts the parts together: rules that live in
 * PostgreSQL and are followed by every instance, the calls under {@code /limits}, and the server's own protection.
 */
@NullMarked
package dev.hotstate.server.limits;

import org.jspecify.annotations.NullMarked;
