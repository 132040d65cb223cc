/** Jobs at work beside BullMQ: the same graphs, the same Redis, the same number of hands. */
@NullMarked
package dev.hotstate.bench.jobs;

import org.jspecify.annotations.NullMarked;
