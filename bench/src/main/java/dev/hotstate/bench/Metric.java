package dev.hotstate.bench;

/** What is measured of a subject, and in which unit. */
public record Metric(String name, String unit) {
    public Metric {
        if (name.isBlank() || unit.isBlank()) {
            throw new IllegalArgumentException(
                    "a metric needs a name and a unit, not \"" + name + "\" and \"" + unit + "\"");
        }
    }
}
