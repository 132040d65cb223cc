package dev.hotstate.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;

/**
 * One line of a result.
 *
 * @param ratioTo the subject of the same benchmark and metric that the value is set in ratio to, if any
 * @param ratio the value divided by that subject's
 */
@JsonPropertyOrder({"benchmark", "subject", "metric", "value", "unit", "ratio_to", "ratio"})
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Figure(
        String benchmark,
        String subject,
        String metric,
        double value,
        String unit,
        @JsonProperty("ratio_to") @Nullable String ratioTo,
        @Nullable Double ratio) {

    public Figure {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(metric + " of " + subject + " must be a number, not " + value);
        }
        if ((ratioTo == null) != (ratio == null) || ratio != null && !Double.isFinite(ratio)) {
            throw new IllegalArgumentException(
                    metric + " of " + subject + " has a ratio of " + ratio + " to " + ratioTo);
        }
    }
}
