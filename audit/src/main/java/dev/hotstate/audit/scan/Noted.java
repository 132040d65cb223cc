package dev.hotstate.audit.scan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.KeyName;
import java.io.IOException;
import java.util.List;

/** How many keys are so, and some of them. */
public final class Noted {
    private final Sample examples = new Sample(Finding.MOST_KEYS);
    private long count;

    void note(long hash, byte[] bytes, int from, int to) {
        count++;
        examples.offer(hash, bytes, from, to, 0);
    }

    void addAll(Noted other) {
        count += other.count;
        examples.addAll(other.examples);
    }

    void write(ObjectNode node) {
        node.put("count", count);
        examples.write(node.putArray("sample"));
    }

    /** @throws IOException if a name is no base 64 */
    static Noted read(JsonNode node) throws IOException {
        Noted noted = new Noted();
        noted.count = node.path("count").asLong();
        noted.examples.read(node.path("sample"), 0);
        return noted;
    }

    public long count() {
        return count;
    }

    /** As they are shown, in order. */
    public List<String> examples() {
        return examples.names().stream().map(KeyName::shown).sorted().toList();
    }
}
