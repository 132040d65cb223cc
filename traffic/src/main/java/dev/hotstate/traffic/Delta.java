package dev.hotstate.traffic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What an endpoint's totals grow by with the next flush, and the newest of its samples. */
final class Delta {
    private long requests;
    private long errors;
    private long sumMicros;
    private List<Sample> samples = new ArrayList<>();

    void add(Cell cell) {
        requests += cell.figures().requests();
        errors += cell.figures().errors();
        sumMicros += cell.figures().sumMicros();
        cell.samples(samples::add);
        keepSamples(RedisTraffic.SAMPLES_KEPT);
    }

    void merge(Delta other) {
        requests += other.requests;
        errors += other.errors;
        sumMicros += other.sumMicros;
        samples.addAll(other.samples);
        keepSamples(RedisTraffic.SAMPLES_KEPT);
    }

    /** Lets go of all samples but so many of the newest. */
    void keepSamples(int most) {
        if (samples.size() > most) {
            samples.sort(Comparator.comparingLong(Sample::atMs));
            samples = new ArrayList<>(samples.subList(samples.size() - most, samples.size()));
        }
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

    List<Sample> samples() {
        return samples;
    }
}
