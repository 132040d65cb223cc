/** What drills share: processes to kill, what befalls them at random moments, and how a verdict is told. */
@NullMarked
package dev.hotstate.bench.drill;

import org.jspecify.annotations.NullMarked;
