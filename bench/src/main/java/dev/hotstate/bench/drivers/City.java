package dev.hotstate.bench.drivers;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A square town.
 *
 * @param side in metres
 * @param spots where many are: eight of ten drivers stand near one. None: drivers are everywhere alike
 */
public record City(double lat, double lon, double side, List<Place> spots) {
    static final double METRES_A_DEGREE = 111_226;

    private static final double AT_SPOTS = 0.8;

    public record Place(double lat, double lon) {}

    public City {
        if (!(side >= 100 && side <= 200_000)) {
            throw new IllegalArgumentException("side must be from 100 to 200,000 m, not " + side);
        }
        spots = List.copyOf(spots);
    }

    /** Of 20 km, with its drivers everywhere alike. */
    public static City uniform() {
        return new City(12.9716, 77.5946, 20_000, List.of());
    }

    /** The same town, with its drivers at a station, an airport and the like. */
    public static City skewed() {
        City even = uniform();
        Random random = new Random(12);
        List<Place> spots = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            spots.add(even.anywhere(random));
        }
        return new City(even.lat, even.lon, even.side, spots);
    }

    /** Where a driver may stand. */
    Place somewhere(Random random) {
        if (spots.isEmpty() || random.nextDouble() > AT_SPOTS) {
            return anywhere(random);
        }
        Place spot = spots.get(random.nextInt(spots.size()));
        double metres = side / 40;
        return within(new Place(
                spot.lat + random.nextGaussian() * metres / METRES_A_DEGREE,
                spot.lon + random.nextGaussian() * metres / metresEast()));
    }

    /** Where somebody may look for one: not so close to the border that a circle would reach far beyond. */
    public Place asked(Random random) {
        Place anywhere = anywhere(random);
        return new Place(lat + (anywhere.lat - lat) * 0.6, lon + (anywhere.lon - lon) * 0.6);
    }

    Place within(Place place) {
        double north = side / 2 / METRES_A_DEGREE;
        double east = side / 2 / metresEast();
        return new Place(
                Math.clamp(place.lat, lat - north, lat + north), Math.clamp(place.lon, lon - east, lon + east));
    }

    /** In a degree of longitude here. */
    double metresEast() {
        return METRES_A_DEGREE * Math.cos(Math.toRadians(lat));
    }

    private Place anywhere(Random random) {
        return new Place(
                lat + (random.nextDouble() - 0.5) * side / METRES_A_DEGREE,
                lon + (random.nextDouble() - 0.5) * side / metresEast());
    }
}
