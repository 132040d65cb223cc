package dev.hotstate.bench;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures subjects in turn, A B A B …, so that what disturbs the machine for a while disturbs all of them; the median over
 * the rounds then drops the worst of it.
 */
final class Rounds {
    private final Pace pace;
    private final Map<String, Map<Metric, List<Double>>> samples = new LinkedHashMap<>();

    Rounds(Pace pace) {
        this.pace = pace;
    }

    /** @return for each subject, in order, the median of each of its metrics */
    Map<String, Map<Metric, Double>> medians(List<Subject> subjects) {
        for (Subject subject : subjects) {
            if (samples.put(subject.name(), new LinkedHashMap<>()) != null) {
                throw new IllegalArgumentException("two subjects are called " + subject.name());
            }
            subject.slice().run(pace.warmUp());
        }
        for (int round = 0; round < pace.rounds(); round++) {
            for (Subject subject : subjects) {
                keep(subject.name(), subject.slice().run(pace.slice()));
            }
        }
        Map<String, Map<Metric, Double>> medians = new LinkedHashMap<>();
        samples.forEach((subject, byMetric) -> medians.put(subject, mediansOf(byMetric)));
        return medians;
    }

    private void keep(String subject, Map<Metric, Double> measured) {
        Map<Metric, List<Double>> mine = requireNonNull(samples.get(subject));
        measured.forEach((metric, value) ->
                mine.computeIfAbsent(metric, m -> new ArrayList<>()).add(value));
    }

    private static Map<Metric, Double> mediansOf(Map<Metric, List<Double>> byMetric) {
        Map<Metric, Double> medians = new LinkedHashMap<>();
        byMetric.forEach((metric, values) -> medians.put(metric, median(values)));
        return medians;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
