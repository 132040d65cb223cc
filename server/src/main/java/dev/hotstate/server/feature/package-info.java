/** What a capability of the server is, and what it is given to stand on. */
@NullMarked
package dev.hotstate.server.feature;

import org.jspecify.annotations.NullMarked;
