/** What several parts of the server do with words. */
@NullMarked
package dev.hotstate.server.text;

import org.jspecify.annotations.NullMarked;
