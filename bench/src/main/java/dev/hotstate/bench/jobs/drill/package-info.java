/** Whether jobs keep their word while workers, servers, Redis and PostgreSQL fail under them. */
@NullMarked
package dev.hotstate.bench.jobs.drill;

import org.jspecify.annotations.NullMarked;
