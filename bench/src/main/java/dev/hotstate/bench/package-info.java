/** Side-by-side benchmarks: us and our peers in one run, on real servers. */
@NullMarked
package dev.hotstate.bench;

import org.jspecify.annotations.NullMarked;
