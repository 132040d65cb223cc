package dev.hotstate.limits;

import java.math.BigInteger;

/**
 * A token bucket in integers: a spent unit fills it by {@code token}, and it leaks {@code drain} a microsecond, so that
 * {@code drain / token} is the rule's rate. Where a full bucket would pass 2^52, and with it the numbers that Lua holds
 * exactly, both are made smaller and the rate is rounded down, by less than one part in four million.
 */
record Drain(long token, long drain) {
    private static final BigInteger MOST = BigInteger.ONE.shiftLeft(52);

    static Drain of(long limit, long windowMicros, long burst) {
        BigInteger units = BigInteger.valueOf(limit);
        BigInteger window = BigInteger.valueOf(windowMicros);
        BigInteger size = BigInteger.valueOf(burst);
        BigInteger common = units.gcd(window);
        BigInteger token = window.divide(common);
        BigInteger drain = units.divide(common);
        if (size.multiply(token).compareTo(MOST) > 0) {
            token = MOST.divide(size);
            drain = token.multiply(units).divide(window);
            token = ceilDivide(drain.multiply(window), units);
        }
        return new Drain(token.longValueExact(), drain.longValueExact());
    }

    private static BigInteger ceilDivide(BigInteger dividend, BigInteger divisor) {
        return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor);
    }
}
