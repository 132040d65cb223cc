/** What checks have found, over time: results, their roll-ups, and the uptime they amount to. */
@NullMarked
package dev.hotstate.monitors.history;

import org.jspecify.annotations.NullMarked;
