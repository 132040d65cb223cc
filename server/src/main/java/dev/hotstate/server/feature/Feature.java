package dev.hotstate.server.feature;

import dev.hotstate.core.Service;
import dev.hotstate.server.http.Admission;
import dev.hotstate.server.http.RequestObserver;
import dev.hotstate.server.http.Routes;
import dev.hotstate.server.http.ops.HealthPart;
import dev.hotstate.store.MigrationSet;
import java.util.List;
import java.util.Optional;

/**
 * One capability of the server, as the server plugs it in. What is declared here (keys, migrations) is known
 * before anything is connected; the rest comes with {@link #start}.
 */
public interface Feature {

    /** Its name: in the configuration, as its partitions' owner, in URLs of the dashboard. */
    String name();

    /** The keys it keeps in Redis. */
    Service keys();

    /** Its tables. */
    List<MigrationSet> migrations();

    /**
     * Begins its work: watches its partitions, starts its loops. Its tables are there by now. If it throws, it has left
     * nothing running: the server then ends, and nobody else knows what to end here.
     */
    Running start(Backbone backbone);

    /** A feature at work. */
    interface Running extends AutoCloseable {
        /** What it shows over HTTP. */
        default List<Routes> routes() {
            return List.of();
        }

        /** How its parts are. */
        default List<HealthPart> health() {
            return List.of();
        }

        /** What it does again and again, on one instance at a time. */
        default List<Chore> chores() {
            return List.of();
        }

        /** What it wants to hear and to refuse of the server's own requests. */
        default Optional<RequestObserver> observer() {
            return Optional.empty();
        }

        default Optional<Admission> admission() {
            return Optional.empty();
        }

        /** Ends its loops and hands back what it has leased. */
        @Override
        void close();
    }
}
