/** An uptime monitor: what is due is claimed from Redis, checked, and recorded in one script; incidents and their alerts are in PostgreSQL. */
@NullMarked
package dev.hotstate.monitors;

import org.jspecify.annotations.NullMarked;
