package dev.hotstate.monitors;

import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.testkit.PostgresDatabase;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Monitors and databases for tests. */
final class Some {
    private Some() {}

    static Monitor monitor(String id) {
        return monitor(id, "");
    }

    /** @param more fields of the document, in single quotes */
    static Monitor monitor(String id, String more) {
        String type = more.contains("'type'") ? "" : ",'type':'tcp','target':'" + id + ".example:80'";
        String json =
                "{'id':'" + id + "','name':'Monitor " + id + "'" + type + (more.isEmpty() ? "" : ",") + more + "}";
        return DocumentJson.read(json.replace('\'', '"'), MonitorDocument.class).toMonitor();
    }

    static Monitor dependent(String id, String... parents) {
        return monitor(
                id,
                "'depends_on':"
                        + Arrays.stream(parents)
                                .map(parent -> "'" + parent + "'")
                                .toList());
    }

    static List<String> ids(List<Definition> definitions) {
        return definitions.stream().map(Definition::id).toList();
    }

    /** With this module's tables. */
    static Database database(PostgresDatabase place) {
        var database = Database.open(DatabaseOptions.of(place.jdbcUrl()).withMaxConnections(4));
        database.migrate(List.of(Definitions.migrations()));
        return database;
    }

    static void empty(Database database) {
        database.useTransaction(handle -> {
            handle.execute("TRUNCATE monitors_definitions, monitors_windows");
            handle.execute("UPDATE monitors_versions SET last = 0, purged = 0");
        });
    }

    /** Every channel is there but for those that begin with "no". */
    static Set<String> missing(Collection<String> ids) {
        return ids.stream().filter(id -> id.startsWith("no")).collect(Collectors.toSet());
    }
}
