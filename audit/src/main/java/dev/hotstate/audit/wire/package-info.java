/**
 * Redis's protocol, as far as an auditor needs it: one socket to one node, many commands a packet, answers read straight
 * into arrays. A client that is made for many callers at a time makes a text of each name and cannot say how many
 * bytes it moved.
 */
@NullMarked
package dev.hotstate.audit.wire;

import org.jspecify.annotations.NullMarked;
