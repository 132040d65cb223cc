package dev.hotstate.limits;

import java.util.ArrayList;
import java.util.List;

/** The mixes of rules that the calls of a trip ask for: each is told once, and a call says where. */
final class Shapes {
    /** The first stands behind the time and their number; Lua counts from 1. */
    private static final int FIRST = 3;

    private static final int HEAD = 2;
    private static final int CHECK = 7;

    /** One of each. */
    private final List<Route> known = new ArrayList<>(1);

    /** Where the shape of a call begins in the script's ARGV. */
    int placeOf(Route route) {
        int place = FIRST;
        for (Route one : known) {
            if (one.hasShapeOf(route)) {
                return place;
            }
            place += HEAD + CHECK * one.size();
        }
        known.add(route);
        return place;
    }

    void addTo(List<String> args) {
        args.add(Integer.toString(known.size()));
        for (Route route : known) {
            args.add(Integer.toString(route.keys().size()));
            args.add(Integer.toString(route.size()));
            for (int i = 0; i < route.size(); i++) {
                route.target(i).terms().toAcquire(args);
                args.add(route.joins(i) ? "1" : "0");
            }
        }
    }
}
