package dev.hotstate.drivers;

import dev.hotstate.core.Slice;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The door to drivers: where they are, what they do, who is free nearby, and one of them for you. */
public interface Drivers {
    /** Drivers that a map shows one by one. */
    int MOST_MARKS = 2_000;

    int FEWEST_CELLS = 4;
    int MOST_CELLS = 64;

    /**
     * Takes a driver's position and sign of life. One that is new, or OFFLINE by silence, becomes AVAILABLE.
     *
     * @throws dev.hotstate.core.InvalidDocumentException naming the field that does not fit
     */
    Located locate(Fix fix);

    /** Takes up to 10,000 at once; of one driver's only the newest. */
    LocatedAll locateAll(List<Fix> fixes);

    /**
     * Makes a driver BUSY, OFFLINE or AVAILABLE; it is in PostgreSQL when this returns. A reservation ends by the first
     * two.
     *
     * @throws UnknownDriverException where nobody has heard of it
     */
    DriverView mark(String id, Status status);

    default DriverView markBusy(String id) {
        return mark(id, Status.BUSY);
    }

    default DriverView markAvailable(String id) {
        return mark(id, Status.AVAILABLE);
    }

    default DriverView markOffline(String id) {
        return mark(id, Status.OFFLINE);
    }

    /** Says who a driver is; one that is unknown is OFFLINE until its first fix. */
    DriverView describe(String id, Profile profile);

    Optional<DriverView> find(String id);

    /** By id, those after a cursor. {@code q} is a part of an id, a name or a vehicle. */
    Slice<DriverView> list(@Nullable Status status, @Nullable String q, @Nullable String cursor, int limit);

    /** From Redis; from PostgreSQL while Redis cannot answer. */
    Found findAvailable(Search search);

    /** The nearest eligible, fewer than wished or none where there are no more; committed in PostgreSQL. */
    List<Reservation> reserve(Wish wish);

    /**
     * Makes the reserved driver BUSY.
     *
     * @throws StaleReservationException where it has lapsed, was ended or the fence is another's
     */
    void confirm(String reservation, String fence);

    /**
     * Lets the reserved driver go.
     *
     * @throws StaleReservationException where it was confirmed or the fence is another's
     */
    void cancel(String reservation, String fence);

    Summary summary();

    /**
     * For a map of a part of the world: each driver where there are at most {@value #MOST_MARKS} with a position, else
     * those of a cell together. From PostgreSQL, so a second or two behind; asked by many, it is read once a second.
     *
     * @param cells how many cells the longer side has about, {@value #FEWEST_CELLS} to {@value #MOST_CELLS}
     */
    List<MapMark> map(Box box, int cells);

    Regions regions();
}
