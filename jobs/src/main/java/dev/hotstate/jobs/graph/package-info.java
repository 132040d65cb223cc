/** What a job is, before anything runs: its tasks, what they need, and what their states mean for one another. */
@NullMarked
package dev.hotstate.jobs.graph;

import org.jspecify.annotations.NullMarked;
