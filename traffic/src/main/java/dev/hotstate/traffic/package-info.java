/** Request metrics of a fleet: counted in memory, added up in Redis once a second. {@link Traffic} is the door. */
@NullMarked
package dev.hotstate.traffic;

import org.jspecify.annotations.NullMarked;
