package dev.hotstate.audit.scan;

import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.KeyName;
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

    void restore(long known, List<Sample.Chosen> kept) {
        count = known;
        kept.forEach(examples::add);
    }

    public long count() {
        return count;
    }

    /** As they are shown, in order. */
    public List<String> examples() {
        return examples.names().stream().map(KeyName::shown).sorted().toList();
    }

    Sample kept() {
        return examples;
    }
}
