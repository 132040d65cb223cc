/** Rate limits for a Helidon SE application. */
@NullMarked
package dev.hotstate.limits.helidon;

import org.jspecify.annotations.NullMarked;
