/** Declared keys, scripts, Redis access and resilience, the agenda, incarnations. Knows no feature. */
@NullMarked
package dev.hotstate.core;

import org.jspecify.annotations.NullMarked;
