package dev.hotstate.audit.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.audit.names.Matcher;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Naming;
import dev.hotstate.audit.schema.Pattern;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.wire.Names;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the names of one node by family: those of the schema, and for all others the shapes that they turn out to have.
 * For one thread.
 */
final class Census {
    private final Plan plan;
    private final int node;
    private final List<Tally> declared = new ArrayList<>();
    private final Discovery discovery;
    private final Noted foreign = new Noted();
    private final Noted retagged = new Noted();
    private final long[] slots;
    private long keys;

    /** What is the same for all nodes. */
    record Plan(
            List<Family> families,
            Matcher matcher,
            Matcher withoutBraces,
            byte[] prefix,
            @Nullable Convention convention,
            int sample,
            long seed,
            boolean cluster) {
        static Plan of(@Nullable Schema schema, int sample, long seed, boolean cluster) {
            if (schema == null) {
                return new Plan(
                        List.of(),
                        new Matcher(List.of()),
                        new Matcher(List.of()),
                        new byte[0],
                        new Convention(Naming.DEFAULT),
                        sample,
                        seed,
                        cluster);
            }
            List<Pattern> patterns = schema.families().stream()
                    .map(family -> Pattern.parse(schema.wholePattern(family), family.variables()))
                    .toList();
            List<Pattern> bare = schema.families().stream()
                    .map(family ->
                            Pattern.parse(schema.wholePattern(family).replaceAll("[{}]", ""), family.variables()))
                    .toList();
            Naming naming = schema.naming();
            return new Plan(
                    schema.families(),
                    new Matcher(patterns),
                    new Matcher(bare),
                    schema.prefix().isEmpty() ? new byte[0] : (schema.prefix() + ":").getBytes(UTF_8),
                    naming == null ? null : new Convention(naming),
                    sample,
                    seed,
                    cluster);
        }
    }

    Census(Plan plan, int node) {
        this.plan = plan;
        this.node = node;
        this.discovery = new Discovery(plan, node);
        this.slots = plan.cluster ? new long[Slots.COUNT] : new long[0];
        plan.families.forEach(family -> declared.add(new Tally(plan.sample)));
    }

    void add(Names names) {
        byte[] bytes = names.bytes();
        for (int i = 0; i < names.count(); i++) {
            add(bytes, names.from(i), names.to(i));
        }
    }

    private void add(byte[] bytes, int from, int to) {
        keys++;
        long hash = NameHash.of(plan.seed, bytes, from, to);
        if (plan.cluster) {
            slots[Slots.of(bytes, from, to)]++;
        }
        int family = plan.matcher.match(bytes, from, to);
        boolean misnamed = plan.convention != null && !plan.convention.admits(bytes, from, to);
        if (family != Matcher.NONE) {
            Tally tally = declared.get(family);
            tally.add(hash, bytes, from, to, node);
            if (misnamed) {
                tally.misname(hash, bytes, from, to);
            }
            return;
        }
        discovery.add(hash, bytes, from, to, misnamed);
        if (!startsWith(plan.prefix, bytes, from, to)) {
            foreign.note(hash, bytes, from, to);
        } else if (!plan.families.isEmpty() && isRetagged(bytes, from, to)) {
            retagged.note(hash, bytes, from, to);
        }
    }

    private boolean isRetagged(byte[] bytes, int from, int to) {
        byte[] bare = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] != '{' && bytes[i] != '}') {
                bare[length++] = bytes[i];
            }
        }
        return plan.withoutBraces.match(bare, 0, length) != Matcher.NONE;
    }

    private static boolean startsWith(byte[] prefix, byte[] bytes, int from, int to) {
        return to - from >= prefix.length && Arrays.equals(prefix, 0, prefix.length, bytes, from, from + prefix.length);
    }

    long keys() {
        return keys;
    }

    void restore(long known) {
        keys = known;
    }

    Plan plan() {
        return plan;
    }

    int node() {
        return node;
    }

    List<Tally> declared() {
        return declared;
    }

    Discovery discovery() {
        return discovery;
    }

    Noted foreign() {
        return foreign;
    }

    Noted retagged() {
        return retagged;
    }

    long[] slots() {
        return slots;
    }
}
