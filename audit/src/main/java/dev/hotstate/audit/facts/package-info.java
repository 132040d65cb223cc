/** What a deployment says of itself: its nodes, and each node's state, settings, users, clients and slow commands. */
@NullMarked
package dev.hotstate.audit.facts;

import org.jspecify.annotations.NullMarked;
