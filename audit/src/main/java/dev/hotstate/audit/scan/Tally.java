package dev.hotstate.audit.scan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.audit.report.KeyName;
import dev.hotstate.audit.schema.Family;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the names of one family are like, and those of its keys that were looked at. */
public final class Tally {
    private final Sample sample;
    private final Noted tooLong = new Noted();
    private final Noted unprintable = new Noted();
    private final Noted misnamed = new Noted();
    private final @Nullable Family family;
    private FamilyLook look;
    private long count;

    Tally(int sampled, @Nullable Family family) {
        this.sample = new Sample(sampled);
        this.family = family;
        this.look = new FamilyLook(family);
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
        look.addAll(other.look);
    }

    void write(ObjectNode node) {
        node.put("count", count);
        sample.write(node.putArray("sample"));
        tooLong.write(node.putObject("too_long"));
        unprintable.write(node.putObject("unprintable"));
        misnamed.write(node.putObject("misnamed"));
        if (look.looked() > 0) {
            look.write(node.putObject("look"));
        }
    }

    /** @throws IOException if a name is no base 64 */
    void read(JsonNode node, int number) throws IOException {
        count = node.path("count").asLong();
        sample.read(node.path("sample"), number);
        tooLong.addAll(Noted.read(node.path("too_long")));
        unprintable.addAll(Noted.read(node.path("unprintable")));
        misnamed.addAll(Noted.read(node.path("misnamed")));
        look = FamilyLook.read(node.path("look"), family);
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

    /** What those keys are like that were looked at. */
    FamilyLook look() {
        return look;
    }

    Sample sample() {
        return sample;
    }
}
