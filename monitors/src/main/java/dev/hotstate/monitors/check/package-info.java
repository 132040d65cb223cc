/** How a target is asked, and how its answer is judged. Knows nothing of monitors: a specification goes in, an outcome comes out. */
@NullMarked
package dev.hotstate.monitors.check;

import org.jspecify.annotations.NullMarked;
