package dev.hotstate.monitors;

import dev.hotstate.monitors.check.Outcome.Phases;
import org.jspecify.annotations.Nullable;

/** Where the time of a check went, as one field of its status: four figures in ms, a dash where there is none. */
final class PhasesText {
    private static final String NONE = "-";
    private static final Phases NOWHERE = new Phases(null, null, null, null);

    private PhasesText() {}

    /** Empty where nothing is known. */
    static String of(Phases phases) {
        return phases.equals(NOWHERE)
                ? ""
                : figure(phases.dnsMs())
                        + " "
                        + figure(phases.connectMs())
                        + " "
                        + figure(phases.tlsMs())
                        + " "
                        + figure(phases.firstByteMs());
    }

    static Phases parse(String text) {
        if (text.isEmpty()) {
            return NOWHERE;
        }
        String[] figures = text.split(" ", 4);
        return new Phases(value(figures[0]), value(figures[1]), value(figures[2]), value(figures[3]));
    }

    private static String figure(@Nullable Double ms) {
        return ms == null ? NONE : Double.toString(Math.round(ms * 10) / 10.0);
    }

    private static @Nullable Double value(String figure) {
        return figure.equals(NONE) ? null : Double.valueOf(figure);
    }
}
