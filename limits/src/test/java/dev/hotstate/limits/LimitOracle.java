package dev.hotstate.limits;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * What one counter should do, in the simplest words: how much room there is at a time, what spending and refunding leave.
 * When to come back is not worked out but searched for. Times are microseconds that never go back.
 */
abstract class LimitOracle {
    Rule rule;

    static LimitOracle of(Rule rule) {
        LimitOracle oracle = switch (rule.algorithm()) {
            case FIXED_WINDOW -> new Fixed();
            case SLIDING_WINDOW -> new Sliding();
            case SLIDING_LOG -> new Log();
            case TOKEN_BUCKET -> new Bucket();
        };
        oracle.rule = rule;
        return oracle;
    }

    /** What could be spent at a time from now on, if nothing is spent before. */
    abstract long room(long at);

    abstract void spend(long units, long now);

    /** Answers what was given back. */
    abstract long refund(long units, long now);

    void change(Rule to) {
        rule = to;
    }

    /** How long until the cost fits. */
    long retry(long cost, long now) {
        return first(now, at -> room(at) >= cost);
    }

    /** How long until all is there again. */
    long reset(long now) {
        return first(now, at -> room(at) == rule.capacity());
    }

    /** The most that may be spent in any stretch of a window. */
    long bound() {
        return switch (rule.algorithm()) {
            case FIXED_WINDOW -> 2 * rule.limit();
            case SLIDING_WINDOW -> 2 * rule.limit() - 1;
            case SLIDING_LOG -> rule.limit();
            case TOKEN_BUCKET -> rule.limit() + rule.burst();
        };
    }

    long window() {
        return rule.window().toNanos() / 1000;
    }

    private static long first(long now, LongPredicate holds) {
        long no = now - 1;
        long yes = now + 10_000_000_000L;
        while (yes - no > 1) {
            long middle = (yes + no) / 2;
            if (holds.test(middle)) {
                yes = middle;
            } else {
                no = middle;
            }
        }
        return yes - now;
    }

    private static final class Fixed extends LimitOracle {
        private long start = Long.MIN_VALUE / 2;
        private long count;

        @Override
        long room(long at) {
            return at >= start + window() ? rule.limit() : rule.limit() - count;
        }

        @Override
        void spend(long units, long now) {
            if (now >= start + window()) {
                start = now;
                count = 0;
            }
            count += units;
        }

        @Override
        long refund(long units, long now) {
            long given = now >= start + window() ? 0 : Math.min(units, count);
            count -= given;
            if (count == 0) {
                start = Long.MIN_VALUE / 2;
            }
            return given;
        }
    }

    /** Windows side by side from the first call on; after a whole one without any, the next call begins anew. */
    private static final class Sliding extends LimitOracle {
        private long start = Long.MIN_VALUE / 2;
        private long count;
        private long previous;

        @Override
        long room(long at) {
            if (at >= start + 2 * window()) {
                return rule.limit();
            }
            return at >= start + window()
                    ? rule.limit() - inSight(count, start + 2 * window() - at)
                    : rule.limit() - count - inSight(previous, start + window() - at);
        }

        /** Rounded up in grains of a window's millionth or so; never less than the exact share. */
        private long inSight(long spent, long left) {
            long grain = Math.max(1, -Math.floorDiv(-window(), 1L << 20));
            long grains = -Math.floorDiv(-left, grain);
            long rounded = Math.min(spent, -Math.floorDiv(-spent * grains, window() / grain));
            if (BigInteger.valueOf(rounded)
                            .multiply(BigInteger.valueOf(window()))
                            .compareTo(BigInteger.valueOf(spent).multiply(BigInteger.valueOf(left)))
                    < 0) {
                throw new AssertionError("rounded to the generous side");
            }
            return rounded;
        }

        @Override
        void spend(long units, long now) {
            move(now);
            count += units;
        }

        @Override
        long refund(long units, long now) {
            move(now);
            long old = Math.min(units, previous);
            long recent = Math.min(units - old, count);
            previous -= old;
            count -= recent;
            if (previous + count == 0) {
                start = Long.MIN_VALUE / 2;
            }
            return old + recent;
        }

        private void move(long now) {
            if (now >= start + 2 * window()) {
                start = now;
                previous = 0;
                count = 0;
            } else if (now >= start + window()) {
                start += window();
                previous = count;
                count = 0;
            }
        }
    }

    private static final class Log extends LimitOracle {
        private final List<Long> times = new ArrayList<>();

        @Override
        long room(long at) {
            return rule.limit()
                    - times.stream().filter(time -> time > at - window()).count();
        }

        @Override
        void spend(long units, long now) {
            times.removeIf(time -> time <= now - window());
            for (int i = 0; i < units; i++) {
                times.add(now);
            }
        }

        @Override
        long refund(long units, long now) {
            times.removeIf(time -> time <= now - window());
            long given = Math.min(units, times.size());
            times.subList(0, (int) given).clear();
            return given;
        }
    }

    /** The level is in parts of a unit: one unit is as many as the lowest terms of limit and window have microseconds. */
    private static final class Bucket extends LimitOracle {
        private long last;
        private long level;
        private long unitOfLevel = 1;

        @Override
        long room(long at) {
            return Math.floorDiv(rule.burst() * unit() - level(at), unit());
        }

        @Override
        void spend(long units, long now) {
            level = level(now) + units * unit();
            unitOfLevel = unit();
            last = now;
        }

        @Override
        long refund(long units, long now) {
            long given = Math.min(units * unitOfLevel, level);
            level -= given;
            return -Math.floorDiv(-given, unitOfLevel);
        }

        private long level(long at) {
            long now = -Math.floorDiv(-level * unit(), unitOfLevel);
            return Math.max(0, Math.min(now, rule.burst() * unit()) - (at - last) * (rule.limit() / common()));
        }

        private long unit() {
            return window() / common();
        }

        private long common() {
            return BigInteger.valueOf(window())
                    .gcd(BigInteger.valueOf(rule.limit()))
                    .longValue();
        }
    }
}
