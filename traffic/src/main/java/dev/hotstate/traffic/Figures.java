package dev.hotstate.traffic;

/**
 * Requests, errors and times that add up: of an endpoint or an instance, in a slot or over a window. Its text is what
 * stands in a slot: {@code requests errors sum_us histogram}.
 */
final class Figures {
    private long requests;
    private long errors;
    private long sumMicros;
    private final Histogram histogram;

    Figures() {
        this(0, 0, 0, new Histogram());
    }

    private Figures(long requests, long errors, long sumMicros, Histogram histogram) {
        this.requests = requests;
        this.errors = errors;
        this.sumMicros = sumMicros;
        this.histogram = histogram;
    }

    static Figures parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("\"" + text + "\" is not: requests errors sum_us histogram");
        }
        return new Figures(
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                Histogram.parse(parts[3]));
    }

    void add(boolean error, long micros) {
        requests++;
        if (error) {
            errors++;
        }
        sumMicros += micros;
        histogram.add(micros);
    }

    void merge(Figures other) {
        requests += other.requests;
        errors += other.errors;
        sumMicros += other.sumMicros;
        histogram.merge(other.histogram);
    }

    void clear() {
        requests = 0;
        errors = 0;
        sumMicros = 0;
        histogram.clear();
    }

    boolean isEmpty() {
        return requests == 0;
    }

    long requests() {
        return requests;
    }

    long errors() {
        return errors;
    }

    long sumMicros() {
        return sumMicros;
    }

    Histogram histogram() {
        return histogram;
    }

    @Override
    public String toString() {
        return requests + " " + errors + " " + sumMicros + " " + histogram;
    }
}
