/** Monitors at work in server processes of their own: how much they do, and whether they keep their word when all fails. */
@NullMarked
package dev.hotstate.bench.monitors;

import org.jspecify.annotations.NullMarked;
