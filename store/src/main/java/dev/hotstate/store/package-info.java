/** PostgreSQL, the truth: the pool, the migrations of each feature, and writes of many rows at once. */
@NullMarked
package dev.hotstate.store;

import org.jspecify.annotations.NullMarked;
