/** Drivers over HTTP: where they are, who is free nearby, one of them reserved; regions; the page's map; their news. */
@NullMarked
package dev.hotstate.server.drivers;

import org.jspecify.annotations.NullMarked;
