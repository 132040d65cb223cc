/** Messages about incidents: written in the incident's own transaction, delivered at least once, with a log. */
@NullMarked
package dev.hotstate.monitors.alert;

import org.jspecify.annotations.NullMarked;
