/** What every server shows besides its features: health, metrics, events, the API's own description, the dashboard. */
@NullMarked
package dev.hotstate.server.http.ops;

import org.jspecify.annotations.NullMarked;
