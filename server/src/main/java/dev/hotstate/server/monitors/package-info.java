/**
 * Monitors over HTTP. {@link dev.hotstate.server.monitors.MonitorRoutes} has every call on one screen; what each does
 * stands in the {@code …Calls} beside it.
 */
@NullMarked
package dev.hotstate.server.monitors;

import org.jspecify.annotations.NullMarked;
