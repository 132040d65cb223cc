/** Holds what was seen against the rules: each class is some rules, each method one, from grounds to findings. */
@NullMarked
package dev.hotstate.audit.checks;

import org.jspecify.annotations.NullMarked;
