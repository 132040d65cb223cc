package dev.hotstate.audit.scan;

import dev.hotstate.audit.report.KeyName;
import java.util.List;

/** What the names of one family are like. */
public final class Tally {
    private final Sample sample;
    private final Noted tooLong = new Noted();
    private final Noted unprintable = new Noted();
    private final Noted misnamed = new Noted();
    private long count;

    Tally(int sampled) {
        this.sample = new Sample(sampled);
    }

    void add(long hash, byte[] bytes, int from, int to, int node) {
        count++;
        sample.offer(hash, bytes, from, to, node);
        if (to - from >= NameFlaws.LONG) {
            tooLong.note(hash, bytes, from, to);
        }
        if (NameFlaws.isUnprintable(bytes, from, to)) {
            unprintable.note(hash, bytes, from, to);
        }
    }

    void misname(long hash, byte[] bytes, int from, int to) {
        misnamed.note(hash, bytes, from, to);
    }

    void addAll(Tally other) {
        count += other.count;
        sample.addAll(other.sample);
        tooLong.addAll(other.tooLong);
        unprintable.addAll(other.unprintable);
        misnamed.addAll(other.misnamed);
    }

    void restore(long known) {
        count = known;
    }

    public long count() {
        return count;
    }

    public Noted tooLong() {
        return tooLong;
    }

    public Noted unprintable() {
        return unprintable;
    }

    public Noted misnamed() {
        return misnamed;
    }

    /** Up to three names, as they are shown. */
    public List<String> examples() {
        return sample.names().stream().limit(3).map(KeyName::shown).sorted().toList();
    }

    Sample sample() {
        return sample;
    }
}
