package dev.hotstate.drivers;

import java.util.List;
import java.util.Optional;

/** Which regions there are. A change holds for each driver with its next fix. */
public interface Regions {
    /** By id; {@link Region#DEFAULT} is always among them. */
    List<Region> list();

    Optional<Region> find(String id);

    /** @throws dev.hotstate.core.InvalidDocumentException naming the field that does not fit */
    Region put(Region region);

    /** Its drivers go where they are by their next fix. False where there is none; the default one stays. */
    boolean delete(String id);
}
