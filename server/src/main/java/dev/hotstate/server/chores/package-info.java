/** The server's own recurring work, done by one instance at a time: the smallest feature there is. */
@NullMarked
package dev.hotstate.server.chores;

import org.jspecify.annotations.NullMarked;
