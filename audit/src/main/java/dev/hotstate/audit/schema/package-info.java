/** The declared design of a keyspace, as a file: which families of keys may be there, and how each of them looks. */
@NullMarked
package dev.hotstate.audit.schema;

import org.jspecify.annotations.NullMarked;
