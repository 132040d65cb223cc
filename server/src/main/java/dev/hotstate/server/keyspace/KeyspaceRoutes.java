package dev.hotstate.server.keyspace;

import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.KeyspaceCensus.Census;
import dev.hotstate.core.KeyspaceDocument;
import dev.hotstate.core.MemoryModel;
import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Request;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /keyspace}: the declared families, each with how many keys it has now and what they weigh. */
public final class KeyspaceRoutes implements Routes {
    private final Keyspace keyspace;
    private final LiveKeyspace live;

    public KeyspaceRoutes(Keyspace keyspace, LiveKeyspace live) {
        this.keyspace = keyspace;
        this.live = live;
    }

    @Override
    public String feature() {
        return "keyspace";
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.get("/keyspace", Access.VIEWER, this::show));
    }

    private Answer show(Request request) throws InterruptedException {
        var accepted = Accepted.of(request.header("Accept").orElse(""));
        if (accepted.prefers("text/markdown", "application/json")) {
            return Answer.text("text/markdown", KeyspaceDocument.markdown(keyspace));
        }
        var census = live.latest();
        var shown = new LinkedHashMap<String, Object>();
        shown.put("prefix", keyspace.prefix());
        shown.put(
                "families",
                keyspace.families().stream()
                        .map(family -> shown(family, census))
                        .toList());
        shown.put("undeclared", census.map(Census::undeclared).orElse(null));
        shown.put("sampled_at", census.map(Census::sampledAt).orElse(null));
        shown.put("complete", census.map(Census::complete).orElse(false));
        return Answer.ok(shown);
    }

    private Map<String, Object> shown(KeyFamily family, Optional<Census> census) {
        var count = census.map(taken -> taken.families().get(family));
        var shown = new LinkedHashMap<String, Object>();
        shown.put("name", family.name());
        shown.put("pattern", keyspace.prefix() + ":" + family.pattern());
        shown.put("type", family.type().word());
        shown.put("fields", family.fields());
        shown.put("lifetime", FamilyLifetime.shown(family.lifetime()));
        shown.put("owner", family.owner());
        shown.put("example", keyspace.prefix() + ":" + family.example());
        shown.put("why", family.why());
        shown.put("keys", count.map(counted -> counted.keys()).orElse(null));
        shown.put("bytes", count.map(counted -> counted.bytes()).orElse(null));
        shown.put("estimate_bytes_per_key", MemoryModel.bytesPerKey(keyspace, family));
        return shown;
    }
}
