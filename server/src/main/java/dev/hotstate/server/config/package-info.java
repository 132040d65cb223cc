/** The configuration: every key declared once as data; file, environment and flags read against it. */
@NullMarked
package dev.hotstate.server.config;

import org.jspecify.annotations.NullMarked;
