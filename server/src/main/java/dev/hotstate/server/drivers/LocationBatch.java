package dev.hotstate.server.drivers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.drivers.Fix;
import dev.hotstate.drivers.LocatedAll;
import dev.hotstate.server.http.Json;
import dev.hotstate.server.http.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Many fixes as they came: those that can be read, from which place in the batch each is, and why others cannot. */
final class LocationBatch {
    private final List<Fix> fixes = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();
    private final List<ItemError> errors = new ArrayList<>();
    private int refused;

    private LocationBatch() {}

    static LocationBatch read(List<JsonNode> items) {
        var batch = new LocationBatch();
        for (int i = 0; i < items.size(); i++) {
            batch.read(i, items.get(i));
        }
        return batch;
    }

    private void read(int index, JsonNode item) {
        try {
            fixes.add(Json.part(item, LocationBody.Item.class).fix());
            places.add(index);
        } catch (Problem unreadable) {
            refused++;
            unreadable.errors().forEach(error -> tell(index, error.field(), error.message()));
        } catch (InvalidDocumentException invalid) {
            refused++;
            invalid.flaws().forEach(flaw -> tell(index, flaw.field(), flaw.message()));
        }
    }

    private void tell(int index, String field, String message) {
        errors.add(new ItemError(index, field, message));
    }

    List<Fix> fixes() {
        return fixes;
    }

    /** With what became of those that could be read. */
    Shown shown(LocatedAll located) {
        located.refused()
                .forEach(one -> tell(
                        places.get(one.index()), one.flaw().field(), one.flaw().message()));
        errors.sort(Comparator.comparingInt(ItemError::index));
        return new Shown(
                located.accepted(),
                located.ignored(),
                refused + located.refused().size(),
                errors);
    }

    /** @param refused items; an item may have several errors */
    record Shown(int accepted, int ignored, int refused, List<ItemError> errors) {}

    private record ItemError(int index, String field, String message) {}
}
