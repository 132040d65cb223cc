/** Request metrics for an application in a Servlet container. */
@NullMarked
package dev.hotstate.traffic.servlet;

import org.jspecify.annotations.NullMarked;
