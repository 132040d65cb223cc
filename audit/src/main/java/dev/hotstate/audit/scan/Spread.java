package dev.hotstate.audit.scan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A mean and how far values lie from it, without keeping them. */
public final class Spread {
    private static final double NINETY_FIVE_PERCENT = 1.96;

    private long count;
    private double mean;
    private double squares;

    void add(double value) {
        count++;
        double off = value - mean;
        mean += off / count;
        squares += off * (value - mean);
    }

    void addAll(Spread other) {
        if (other.count == 0) {
            return;
        }
        long all = count + other.count;
        double off = other.mean - mean;
        squares += other.squares + off * off * count * other.count / all;
        mean += off * other.count / all;
        count = all;
    }

    void write(ObjectNode node) {
        node.put("count", count).put("mean", mean).put("squares", squares);
    }

    static Spread read(JsonNode node) {
        Spread spread = new Spread();
        spread.count = node.path("count").asLong();
        spread.mean = node.path("mean").asDouble();
        spread.squares = node.path("squares").asDouble();
        return spread;
    }

    public long count() {
        return count;
    }

    public double mean() {
        return mean;
    }

    /** Half the width of the 95 % interval around the sum of so many, of which these are a random part. */
    public double plusMinus(long of) {
        if (count >= of || count < 2) {
            return 0;
        }
        double deviation = Math.sqrt(squares / (count - 1));
        double unseen = Math.sqrt((double) (of - count) / Math.max(1, of - 1));
        return NINETY_FIVE_PERCENT * deviation / Math.sqrt(count) * of * unseen;
    }
}
