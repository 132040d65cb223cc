package dev.hotstate.traffic;

import dev.hotstate.core.ShortName;

/** How names of endpoints and instances, of any length, stand in a key. */
final class Names {
    /** The longest that fits {@code {t}:requests:endpoint:…} under the longest prefix. */
    static final int MAX_BYTES = 44;

    private static final int HASH = 22;

    private Names() {}

    static String segment(String name) {
        return ShortName.of(name, MAX_BYTES, HASH);
    }
}
