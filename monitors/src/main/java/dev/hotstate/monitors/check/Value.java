package dev.hotstate.monitors.check;

import dev.hotstate.core.Durations;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** What an assertion compares: literals as they were written, and what was found in an answer. */
sealed interface Value {
    Value NONE = new Null();

    record Num(BigDecimal number) implements Value {
        static Num of(long number) {
            return new Num(BigDecimal.valueOf(number));
        }

        boolean isInteger() {
            return number.scale() <= 0;
        }

        /** An answer may hold 1e999999999, whose plain form would fill the memory. */
        @Override
        public String toString() {
            return Math.abs(number.scale()) > 50 ? number.toString() : number.toPlainString();
        }
    }

    record Span(Duration duration) implements Value {
        @Override
        public String toString() {
            return Durations.print(duration);
        }
    }

    record Text(String text) implements Value {
        @Override
        public String toString() {
            return Quoted.of(text);
        }
    }

    record Bool(boolean is) implements Value {
        @Override
        public String toString() {
            return Boolean.toString(is);
        }
    }

    record Null() implements Value {
        @Override
        public String toString() {
            return "null";
        }
    }

    /** A JSON object: it can be shown, but equals nothing that can be written. */
    record Thing(String json) implements Value {
        @Override
        public String toString() {
            return json;
        }
    }

    record Many(List<Value> values) implements Value {
        public Many {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return values.stream().map(Value::toString).collect(Collectors.joining(", ", "[", "]"));
        }
    }

    /** Both ends belong to it. */
    record Range(Value low, Value high) implements Value {
        @Override
        public String toString() {
            return low + ".." + high;
        }
    }
}
