/** A real Redis and a real PostgreSQL for trying hotstate out, with their data in one folder. Not for production. */
@NullMarked
package dev.hotstate.server.embedded;

import org.jspecify.annotations.NullMarked;
