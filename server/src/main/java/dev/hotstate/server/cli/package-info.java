/** The command line: one class a command, exit 0 for yes, 1 for no, 2 for could not run. */
@NullMarked
package dev.hotstate.server.cli;

import org.jspecify.annotations.NullMarked;
