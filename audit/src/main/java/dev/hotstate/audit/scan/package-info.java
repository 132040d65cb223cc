/** Reads a keyspace: all names, and of each family a sample (or all) in depth. */
@NullMarked
package dev.hotstate.audit.scan;

import org.jspecify.annotations.NullMarked;
