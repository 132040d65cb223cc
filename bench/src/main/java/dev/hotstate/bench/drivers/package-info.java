/** Drivers of a city, all of drivers to find them with, and the peers. */
@NullMarked
package dev.hotstate.bench.drivers;

import org.jspecify.annotations.NullMarked;
