/** Request metrics for a Helidon SE application. */
@NullMarked
package dev.hotstate.traffic.helidon;

import org.jspecify.annotations.NullMarked;
