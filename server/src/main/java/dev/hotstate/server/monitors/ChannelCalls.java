package dev.hotstate.server.monitors;

import dev.hotstate.monitors.Definition;
import dev.hotstate.monitors.Directory;
import dev.hotstate.monitors.Filter;
import dev.hotstate.monitors.Monitoring;
import dev.hotstate.monitors.alert.Alerting;
import dev.hotstate.monitors.alert.Channel;
import dev.hotstate.monitors.alert.ChannelDocument;
import dev.hotstate.monitors.alert.Channels;
import dev.hotstate.monitors.alert.TestResult;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where alerts go. Secrets are written and never read back. */
final class ChannelCalls {
    private static final int TOLD = 5;

    private final Channels channels;
    private final Alerting alerting;
    private final Directory directory;

    ChannelCalls(Monitoring monitoring) {
        this.channels = monitoring.channels();
        this.alerting = monitoring.alerting();
        this.directory = monitoring.directory();
    }

    /** By id. */
    Answer list(Request request) {
        var page = request.page();
        String after = page.cursor().orElse("");
        var found = channels.list().stream()
                .filter(channel -> channel.id().compareTo(after) > 0)
                .sorted(Comparator.comparing(Channel::id))
                .limit(page.limit() + 1L)
                .toList();
        var listing = Listing.of(found, page, Channel::id);
        return Answer.ok(
                new Listing<>(listing.items().stream().map(Channel::shown).toList(), listing.nextCursor()));
    }

    Answer find(Request request) {
        return Answer.ok(known(request).shown());
    }

    Answer put(Request request) {
        String id = request.id("id");
        var document = request.document(ChannelDocument.class);
        Channel wanted = checked(() -> document.toChannel(id));
        boolean created = channels.find(id).isEmpty();
        var shown = checked(() -> channels.put(wanted)).shown();
        return created ? Answer.created("/channels/" + id, shown) : Answer.ok(shown);
    }

    /** What a channel objects to begins with the field's name. */
    private static <T> T checked(Supplier<T> self) {
        try {
            return self.get();
        } catch (IllegalArgumentException objection) {
            String sentence = String.valueOf(objection.getMessage());
            int end = Math.max(0, sentence.indexOf(' '));
            throw Problem.invalid(
                    sentence.substring(0, end), sentence.substring(end).strip());
        }
    }

    /** Not while monitors alert it: they would go down in silence. */
    Answer delete(Request request) {
        String id = known(request).id();
        List<String> users = directory
                .select(Filter.ALL, null)
                .filter(definition -> definition.monitor().alerts().contains(id))
                .map(Definition::id)
                .toList();
        if (!users.isEmpty()) {
            String more = users.size() > TOLD ? " and " + (users.size() - TOLD) + " more" : "";
            throw Problem.conflict("The channel \"" + id + "\" is alerted by "
                    + String.join(", ", users.subList(0, Math.min(TOLD, users.size()))) + more
                    + ": take it out of their alerts first.");
        }
        channels.delete(id);
        return Answer.noContent();
    }

    /** 200 whatever came of it: the test itself was made. */
    Answer test(Request request) {
        return Answer.ok(TestShown.of(alerting.test(known(request))));
    }

    private Channel known(Request request) {
        return channels.find(request.id("id"))
                .orElseThrow(() -> Problem.notFound("There is no channel \"" + request.path("id") + "\"."));
    }

    /** @param error why it did not arrive; where it did, what was not quite right, if anything */
    private record TestShown(boolean ok, @Nullable String error, long tookMs, String idempotencyKey) {
        static TestShown of(TestResult result) {
            return new TestShown(
                    result.delivered(), result.error(), result.took().toMillis(), result.idempotencyKey());
        }
    }
}
