/** From what was seen of families to what a person would declare of them. */
@NullMarked
package dev.hotstate.audit.infer;

import org.jspecify.annotations.NullMarked;
