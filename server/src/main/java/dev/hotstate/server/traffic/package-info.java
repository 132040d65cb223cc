/** The traffic of a fleet over HTTP, its history in PostgreSQL, and the server's own requests in it. */
@NullMarked
package dev.hotstate.server.traffic;

import org.jspecify.annotations.NullMarked;
