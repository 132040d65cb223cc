/** The server's own Redis held against its declarations: on request, by schedule, and over time. */
@NullMarked
package dev.hotstate.server.audit;

import org.jspecify.annotations.NullMarked;
