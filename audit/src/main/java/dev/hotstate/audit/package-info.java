/**
 * Holds any Redis against its declared design and a checklist, by reading alone. The doors are {@code Auditor}, which
 * makes a {@link dev.hotstate.audit.report.Report}, and {@code Inference}, which drafts a {@link
 * dev.hotstate.audit.schema.Schema} from what is there.
 */
@NullMarked
package dev.hotstate.audit;

import org.jspecify.annotations.NullMarked;
