/**
 * Which drivers are free nearby: positions and heartbeats in Redis first and in PostgreSQL behind, statuses and
 * reservations in PostgreSQL first. The door is {@link dev.hotstate.drivers.Drivers}.
 */
@NullMarked
package dev.hotstate.drivers;

import org.jspecify.annotations.NullMarked;
