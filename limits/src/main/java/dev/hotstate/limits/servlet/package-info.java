/** Rate limits for an application in a Servlet container. */
@NullMarked
package dev.hotstate.limits.servlet;

import org.jspecify.annotations.NullMarked;
