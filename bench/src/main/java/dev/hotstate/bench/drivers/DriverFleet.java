package dev.hotstate.bench.drivers;

import dev.hotstate.drivers.Fix;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Drivers that move about a city as cars do: along a heading that drifts, with a turn now and then, at speeds between
 * standing and a city's limit; and whose fixes come as phones send them: some late, some out of order, some twice. Each
 * turn moves the next drivers, one after the other; the same seed makes the same fleet. Not for several threads.
 */
public final class DriverFleet {
    private static final double FASTEST = 60;
    private static final double TURNS = 0.15;

    private final City city;
    private final Noise noise;
    private final InstantSource clock;
    private final Random random;
    private final double[] lats;
    private final double[] lons;
    private final float[] headings;
    private final float[] speeds;
    private final long[] seqs;
    private int next;

    /**
     * How fixes go astray, as shares of all.
     *
     * @param stale an earlier one comes again, minutes later
     * @param swapped it comes after the next one
     * @param twice it comes twice
     */
    public record Noise(double stale, double swapped, double twice) {
        public static final Noise NONE = new Noise(0, 0, 0);

        /** A little of each. */
        public static final Noise USUAL = new Noise(0.02, 0.02, 0.03);

        public Noise {
            if (!(stale >= 0 && swapped >= 0 && twice >= 0 && stale + swapped + twice <= 1)) {
                throw new IllegalArgumentException(
                        "stale, swapped and twice must be shares, not " + stale + ", " + swapped + ", " + twice);
            }
        }
    }

    public DriverFleet(City city, int drivers, Noise noise, InstantSource clock, long seed) {
        if (drivers < 1) {
            throw new IllegalArgumentException("drivers must be at least 1, not " + drivers);
        }
        this.city = city;
        this.noise = noise;
        this.clock = clock;
        this.random = new Random(seed);
        this.lats = new double[drivers];
        this.lons = new double[drivers];
        this.headings = new float[drivers];
        this.speeds = new float[drivers];
        this.seqs = new long[drivers];
        for (int i = 0; i < drivers; i++) {
            City.Place place = city.somewhere(random);
            lats[i] = place.lat();
            lons[i] = place.lon();
            headings[i] = random.nextFloat(360);
            speeds[i] = (float) random.nextDouble(FASTEST);
        }
    }

    public int size() {
        return lats.length;
    }

    public static String id(int driver) {
        return "driver-" + driver;
    }

    /** Where each driver stands now, one fix each, without noise. */
    public List<Fix> all(int from, int until) {
        List<Fix> fixes = new ArrayList<>(until - from);
        for (int i = from; i < until; i++) {
            fixes.add(fix(i, clock.instant()));
        }
        return fixes;
    }

    /** The next so many drivers move for so long and tell of it; a few fixes more, or older ones, by the noise. */
    public List<Fix> moved(int drivers, Duration interval) {
        List<Fix> fixes = new ArrayList<>(drivers + drivers / 16);
        Instant now = clock.instant();
        for (int i = 0; i < drivers; i++) {
            Fix before = fix(next, now.minus(interval));
            move(next, interval.toMillis() / 1000.0);
            seqs[next]++;
            tell(fixes, before, fix(next, now));
            next = (next + 1) % size();
        }
        return fixes;
    }

    private void tell(List<Fix> fixes, Fix before, Fix now) {
        double chance = random.nextDouble();
        fixes.add(now);
        if (chance < noise.twice) {
            fixes.add(now);
        } else if (chance < noise.twice + noise.swapped) {
            fixes.add(before);
        } else if (chance < noise.twice + noise.swapped + noise.stale) {
            Instant at = now.at() == null ? clock.instant() : now.at();
            fixes.add(new Fix(
                    before.id(),
                    before.lat(),
                    before.lon(),
                    0L,
                    at.minusSeconds(300),
                    before.heading(),
                    before.speed()));
        }
    }

    private void move(int i, double seconds) {
        double turn = random.nextDouble() < TURNS ? (random.nextBoolean() ? 90 : -90) : random.nextGaussian() * 8;
        headings[i] = (float) (((headings[i] + turn) % 360 + 360) % 360);
        speeds[i] = (float) Math.clamp(speeds[i] + random.nextGaussian() * 8, 0, FASTEST);
        double metres = speeds[i] / 3.6 * seconds;
        double way = Math.toRadians(headings[i]);
        City.Place there = new City.Place(
                lats[i] + metres * Math.cos(way) / City.METRES_A_DEGREE,
                lons[i] + metres * Math.sin(way) / city.metresEast());
        City.Place kept = city.within(there);
        if (!kept.equals(there)) {
            headings[i] = (headings[i] + 180) % 360;
        }
        lats[i] = kept.lat();
        lons[i] = kept.lon();
    }

    private Fix fix(int i, Instant at) {
        return new Fix(
                id(i), lats[i], lons[i], seqs[i], at, (double) Math.round(headings[i]), (double) Math.round(speeds[i]));
    }
}
