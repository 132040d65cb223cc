/** What an audit found, as values: the same Redis in the same state gives the same report, in the same order. */
@NullMarked
package dev.hotstate.audit.report;

import org.jspecify.annotations.NullMarked;
