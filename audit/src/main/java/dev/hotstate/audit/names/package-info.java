/** Names of keys as bytes: patterns, which of them a name fits, and what patterns many names have. No I/O. */
@NullMarked
package dev.hotstate.audit.names;

import org.jspecify.annotations.NullMarked;
