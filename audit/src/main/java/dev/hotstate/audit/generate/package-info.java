/** What is printed from a schema: users for Redis, advice for its configuration, alerts, documents. */
@NullMarked
package dev.hotstate.audit.generate;

import org.jspecify.annotations.NullMarked;
