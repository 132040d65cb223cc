/** The declared keyspace with what really stands in Redis: {@code GET /keyspace}. */
@NullMarked
package dev.hotstate.server.keyspace;

import org.jspecify.annotations.NullMarked;
