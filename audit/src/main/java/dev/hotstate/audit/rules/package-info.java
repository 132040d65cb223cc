/** What the auditor looks for: each rule with its severity, its reason and its remedy. Documents, no code. */
@NullMarked
package dev.hotstate.audit.rules;

import org.jspecify.annotations.NullMarked;
