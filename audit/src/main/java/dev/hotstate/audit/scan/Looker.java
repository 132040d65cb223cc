package dev.hotstate.audit.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.audit.report.KeyName;
import dev.hotstate.audit.report.Report.NotLookedAt;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Field;
import dev.hotstate.audit.schema.Lifetime;
import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Reply;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at keys in depth, by commands that only read and that never take long: sizes from five elements, the beginnings
 * of values, at most some hundred fields. A first packet asks each key's type, TTL and memory; a second one asks by type.
 * What the user may not ask is not asked again.
 */
final class Looker {
    /** So many commands hold up others for about as long as one batch of SCAN. */
    private static final int PACKET = 8 * 1024;

    /** A hash of more is not read, only some of its names: one answer must not be megabytes. */
    private static final long READABLE = 256 * 1024;

    /** A collection of fewer bytes has no 10,000 elements. */
    private static final long COUNTABLE = 16 * 1024;

    private final Connection node;
    private final List<@Nullable Family> families;
    private final boolean thrifty;
    private final Set<Ask> allowed = EnumSet.allOf(Ask.class);
    private final List<NotLookedAt> refused = new ArrayList<>();
    private boolean tried;

    /**
     * @param families by place; null for one that is not declared
     * @param frequencies whether the server counts how often keys are used
     * @param thrifty whether only that is asked which some rule needs, because all keys are looked at
     */
    Looker(Connection node, List<@Nullable Family> families, boolean frequencies, boolean thrifty) {
        this.node = node;
        this.families = families;
        this.thrifty = thrifty;
        if (!frequencies) {
            allowed.remove(Ask.FREQUENCY);
        }
    }

    /** Fills in all of them. */
    void look(List<Looked> keys) {
        if (!tried && !keys.isEmpty()) {
            tryAll(keys.getFirst());
        }
        inPackets(keys, this::askFirst, this::readFirst);
        inPackets(keys, this::askSecond, this::readSecond);
    }

    /** What had to be left out. */
    List<NotLookedAt> notLookedAt() {
        return List.copyOf(refused);
    }

    /** Each command once, on a key that is there, so that later every command that is sent has an answer to count on. */
    private void tryAll(Looked key) {
        List<Ask> all = List.copyOf(allowed);
        all.forEach(ask -> put(ask, key));
        node.send();
        for (Ask ask : all) {
            if (node.read() instanceof Reply.Refused words
                    && (words.isForRights() && !words.words().contains("key") || words.isUnknown())) {
                allowed.remove(ask);
                refused.add(new NotLookedAt(ask.command(), KeyName.shown(words.words())));
            }
        }
        tried = true;
    }

    private interface Step {
        void of(Looked key);
    }

    /** The next packet goes before the answers to the last are read, so that neither side waits for the other. */
    private void inPackets(List<Looked> keys, Step ask, Step read) {
        int unread = 0;
        int sent = 0;
        for (int i = 0; i < keys.size(); i++) {
            ask.of(keys.get(i));
            if (node.packed() >= PACKET || i + 1 == keys.size() && node.packed() > 0) {
                node.send();
                keys.subList(unread, sent).forEach(read::of);
                unread = sent;
                sent = i + 1;
            }
        }
        keys.subList(unread, sent).forEach(read::of);
    }

    private void askFirst(Looked key) {
        ask(Ask.TYPE, key);
        ask(Ask.PTTL, key);
        ask(Ask.MEMORY, key);
        ask(Ask.FREQUENCY, key);
    }

    private void readFirst(Looked key) {
        key.type = allowed.contains(Ask.TYPE) ? node.readWord() : "";
        key.ttl = whole(Ask.PTTL);
        key.memory = whole(Ask.MEMORY);
        key.frequency = whole(Ask.FREQUENCY);
    }

    private void askSecond(Looked key) {
        switch (key.type) {
            case "string" -> {
                if (isLong(key)) {
                    ask(Ask.STRLEN, key);
                    ask(Ask.BEGINNING, key);
                }
            }
            case "hash" -> askHash(key);
            case "list" -> askCount(Ask.LLEN, key);
            case "set" -> askCount(Ask.SCARD, key);
            case "zset" -> askCount(Ask.ZCARD, key);
            case "stream" -> askCount(Ask.XLEN, key);
            default -> {
                // What a module brings has no common measure.
            }
        }
    }

    private void readSecond(Looked key) {
        switch (key.type) {
            case "string" -> {
                if (isLong(key)) {
                    key.elements = whole(Ask.STRLEN);
                    key.beginning = text(Ask.BEGINNING);
                }
            }
            case "hash" -> readHash(key);
            case "list" -> readCount(Ask.LLEN, key);
            case "set" -> readCount(Ask.SCARD, key);
            case "zset" -> readCount(Ask.ZCARD, key);
            case "stream" -> readCount(Ask.XLEN, key);
            default -> {
                // Nothing was asked.
            }
        }
    }

    private void askHash(Looked key) {
        askCount(Ask.HLEN, key);
        ask(key.memory > READABLE ? Ask.NAMES : Ask.FIELDS, key);
        if (allowed.contains(Ask.HAS)) {
            required(key)
                    .forEach(field -> node.put(
                            Ask.HAS.before,
                            key.bytes,
                            key.from,
                            key.to,
                            field.name().getBytes(UTF_8)));
        }
    }

    private void readHash(Looked key) {
        readCount(Ask.HLEN, key);
        if (key.memory > READABLE) {
            if (allowed.contains(Ask.NAMES)) {
                node.read().items().forEach(name -> add(key, name, new Reply.Nothing()));
            }
        } else if (allowed.contains(Ask.FIELDS)) {
            List<Reply> answer = node.read().items();
            List<Reply> pairs = answer.size() == 2 ? answer.get(1).items() : List.of();
            for (int i = 0; i + 1 < pairs.size(); i += 2) {
                add(key, pairs.get(i), pairs.get(i + 1));
            }
        }
        if (allowed.contains(Ask.HAS)) {
            required(key).stream()
                    .filter(field -> node.readWhole(1) == 0)
                    .forEach(field -> key.missing.add(field.name()));
        }
    }

    private static void add(Looked key, Reply name, Reply value) {
        if (name instanceof Reply.Text text) {
            key.fields.add(
                    new Looked.FieldSeen(text.bytes(), value instanceof Reply.Text held ? held.bytes() : new byte[0]));
        }
    }

    private List<Field> required(Looked key) {
        Family family = families.get(key.family);
        return family == null
                ? List.of()
                : family.fields().stream()
                        .filter(field -> field.required() && field.isLiteral())
                        .toList();
    }

    /** Where all keys are looked at, only those strings whose memory says that they are long. */
    private boolean isLong(Looked key) {
        return !thrifty || key.memory == Looked.UNKNOWN || key.memory > ValueFlaws.LARGE;
    }

    private boolean isCounted(Looked key) {
        Family family = families.get(key.family);
        boolean bound = family != null
                && (family.lifetime() instanceof Lifetime.Bounded
                        || family.max().elements() > 0);
        return !thrifty || bound || key.memory == Looked.UNKNOWN || key.memory >= COUNTABLE;
    }

    private void askCount(Ask ask, Looked key) {
        if (isCounted(key)) {
            ask(ask, key);
        }
    }

    private void readCount(Ask ask, Looked key) {
        if (isCounted(key)) {
            key.elements = whole(ask);
        }
    }

    private void ask(Ask ask, Looked key) {
        if (allowed.contains(ask)) {
            put(ask, key);
        }
    }

    private void put(Ask ask, Looked key) {
        node.put(ask.before, key.bytes, key.from, key.to, ask.after);
    }

    private long whole(Ask ask) {
        return allowed.contains(ask) ? node.readWhole(Looked.UNKNOWN) : Looked.UNKNOWN;
    }

    private byte[] text(Ask ask) {
        return allowed.contains(ask) && node.read() instanceof Reply.Text text ? text.bytes() : new byte[0];
    }
}
