/** Those who work on tasks in this process: Java handlers, HTTP calls and shell commands, all by one protocol. */
@NullMarked
package dev.hotstate.jobs.work;

import org.jspecify.annotations.NullMarked;
