package dev.hotstate.core;

/** A partition is being rebuilt from PostgreSQL, or is not known to be whole. Nothing was changed; come back soon. */
public final class RebuildingException extends HotstateException {
    private static final long serialVersionUID = 1L;

    RebuildingException(String tag) {
        super("partition {" + tag + "} is being rebuilt");
    }
}
