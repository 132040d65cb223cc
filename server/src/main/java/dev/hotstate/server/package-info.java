/** The server, put together: the one place that knows every part. */
@NullMarked
package dev.hotstate.server;

import org.jspecify.annotations.NullMarked;
