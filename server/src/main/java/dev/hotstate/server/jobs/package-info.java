/** Jobs over HTTP: submitted and watched by people, worked on by programs. */
@NullMarked
package dev.hotstate.server.jobs;

import org.jspecify.annotations.NullMarked;
