package dev.hotstate.monitors.history;

import java.util.List;

/**
 * The minutes of an hour in one value: about ten bytes for a minute with one check. For each minute that is not empty its
 * place, checks, those that were ok, the time down, the time not known or in maintenance (mostly none, so one byte; the
 * rest was up), the sum of latencies, the histogram.
 */
final class Minutes {
    static final int COUNT = 60;

    private Minutes() {}

    static byte[] pack(List<Tally> minutes) {
        Varints.Writer out = new Varints.Writer();
        for (int i = 0; i < minutes.size(); i++) {
            Tally minute = minutes.get(i);
            if (!minute.isEmpty()) {
                out.put(i);
                out.put(minute.checks());
                out.put(minute.ok());
                out.put(minute.downMs());
                out.put(Level.MINUTE.ms() - minute.downMs() - minute.upMs());
                out.put(minute.latencyMs());
                minute.latency().write(out);
            }
        }
        return out.bytes();
    }

    /** @param hour its start */
    static void unpack(byte[] packed, long hour, Visitor visitor) {
        Varints.Reader in = new Varints.Reader(packed);
        while (in.hasNext()) {
            long start = hour + in.next() * Level.MINUTE.ms();
            long checks = in.next();
            long ok = in.next();
            long downMs = in.next();
            long upMs = Level.MINUTE.ms() - downMs - in.next();
            visitor.minute(start, new Tally(checks, ok, upMs, downMs, in.next(), Histogram.read(in)));
        }
    }

    interface Visitor {
        void minute(long start, Tally minute);
    }
}
