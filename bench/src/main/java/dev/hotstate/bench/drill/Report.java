package dev.hotstate.bench.drill;

/** Where a measurement tells what it does and what came of it. */
public interface Report {
    void say(String line);

    void measured(String subject, String metric, String unit, double value);
}
