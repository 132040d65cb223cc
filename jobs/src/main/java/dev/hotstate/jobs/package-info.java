/**
 * DAG jobs: submitted to PostgreSQL, advanced in Redis by one script a step, archived in PostgreSQL again. The doors are
 * {@link dev.hotstate.jobs.Jobs} for those who submit and watch, and {@link dev.hotstate.jobs.Tasks} for those who work.
 */
@NullMarked
package dev.hotstate.jobs;

import org.jspecify.annotations.NullMarked;
