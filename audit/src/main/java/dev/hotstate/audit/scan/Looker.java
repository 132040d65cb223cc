package dev.hotstate.audit.scan;

import dev.hotstate.audit.report.KeyName;
import dev.hotstate.audit.report.Report.NotLookedAt;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Lifetime;
import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Reply;
import dev.hotstate.audit.wire.Words;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at keys in depth, by commands that only read and that never take long: sizes from five elements, the beginnings
 * of values, at most some hundred fields. Each key is asked its type, TTL and memory, and then what its type suggests.
 * Questions about several keys go in one packet, and the next packet once all of it is answered, so that the server is free
 * for others in between. What the user may not ask is not asked again.
 */
final class Looker {
    /** So many bytes of commands hold up others for about as long as one batch of SCAN. */
    private static final int PACKET = 1_200;

    /** A hash of more is not read, only some of its names: one answer must not be megabytes. */
    private static final long READABLE = 256 * 1024;

    /** The fields of a hash of more bytes are the last question of a packet. */
    private static final long HEAVY = 4 * 1024;

    /** A collection of fewer bytes has no 10,000 elements. */
    private static final long COUNTABLE = 16 * 1024;

    /** Stands among keys for a question of the feed. */
    private static final Looked OF_THE_FEED = new Looked(new byte[0], 0, 0, 0, 0);

    private final Connection node;
    private final List<@Nullable Family> families;
    private final boolean thrifty;
    private final Set<Ask> allowed = EnumSet.allOf(Ask.class);
    private final List<NotLookedAt> refused = new ArrayList<>();
    private final Deque<Looked> underway = new ArrayDeque<>();
    private final Deque<Looked> halfway = new ArrayDeque<>();
    private final List<List<Required>> required;
    private long refusedKeys;
    private String refusedWords = "";
    private boolean tried;

    /** A field that keys of a family must have. */
    private record Required(String name, Words question) {
        static List<Required> of(@Nullable Family family) {
            return family == null
                    ? List.of()
                    : family.fields().stream()
                            .filter(field -> field.required() && field.isLiteral())
                            .map(field -> new Required(field.name(), Words.around("HEXISTS", List.of(field.name()))))
                            .toList();
        }
    }

    /** Where keys come from. */
    interface Feed {
        /** @return null while there is none */
        @Nullable
        Looked next();

        /** Puts a question of its own into the packet, if it has one; it goes alone, since Redis answers a packet in one go. */
        boolean ask();

        /** Reads the answer to it. */
        void read();
    }

    /**
     * @param families by place; null for one that is not declared
     * @param frequencies whether the server counts how often keys are used
     * @param thrifty whether only that is asked which some rule needs, because all keys are looked at
     */
    Looker(Connection node, List<@Nullable Family> families, boolean frequencies, boolean thrifty) {
        this.node = node;
        this.families = families;
        this.thrifty = thrifty;
        this.required = families.stream().map(Required::of).toList();
        if (!frequencies) {
            allowed.remove(Ask.FREQUENCY);
        }
    }

    /** Looks at all keys that the feed gives, until it has none and asks for none. */
    void look(Feed feed, Consumer<Looked> whole) {
        int sent;
        do {
            sent = pack(feed);
            node.send();
            for (int i = 0; i < sent; i++) {
                answer(feed, whole);
            }
        } while (sent > 0);
    }

    /** Keys that were taken from the feed and are not yet whole. */
    List<Looked> underway() {
        List<Looked> keys = new ArrayList<>(underway);
        keys.removeIf(key -> key == OF_THE_FEED);
        keys.addAll(halfway);
        return keys;
    }

    /** What had to be left out. */
    List<NotLookedAt> notLookedAt() {
        List<NotLookedAt> all = new ArrayList<>(refused);
        if (refusedKeys > 0) {
            String keys = refusedKeys == 1 ? "1 key" : String.format(Locale.ROOT, "%,d keys", refusedKeys);
            all.add(new NotLookedAt(keys + " on " + node.endpoint().address(), refusedWords));
        }
        return all;
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

    /** @return how many questions of the feed and keys it has */
    private int pack(Feed feed) {
        if (feed.ask()) {
            underway.add(OF_THE_FEED);
            return 1;
        }
        int packed = 0;
        while (node.packed() < PACKET) {
            Looked key = halfway.poll();
            key = key == null ? feed.next() : key;
            if (key == null) {
                break;
            }
            if (key.begun) {
                askSecond(key);
            } else {
                first(key);
            }
            underway.add(key);
            packed++;
            if (key.begun && key.memory > HEAVY) {
                break;
            }
        }
        return packed;
    }

    private void first(Looked key) {
        if (!tried) {
            tryAll(key);
        }
        askFirst(key);
    }

    private void answer(Feed feed, Consumer<Looked> whole) {
        Looked key = underway.remove();
        if (key == OF_THE_FEED) {
            feed.read();
        } else if (key.begun) {
            readSecond(key);
            whole.accept(key);
        } else {
            readFirst(key);
            key.begun = true;
            if (hasMore(key)) {
                halfway.add(key);
            } else {
                whole.accept(key);
            }
        }
    }

    private boolean hasMore(Looked key) {
        return switch (key.type) {
            case "string" -> isLong(key);
            case "hash" -> true;
            case "list", "set", "zset", "stream" -> isCounted(key);
            default -> false;
        };
    }

    private void askFirst(Looked key) {
        ask(Ask.TYPE, key);
        ask(Ask.PTTL, key);
        ask(Ask.MEMORY, key);
        ask(Ask.FREQUENCY, key);
    }

    private void readFirst(Looked key) {
        key.type = allowed.contains(Ask.TYPE) ? node.readWord(words -> refuse(key, words)) : "";
        key.ttl = whole(Ask.PTTL);
        key.memory = whole(Ask.MEMORY);
        key.frequency = whole(Ask.FREQUENCY);
    }

    /** A user may be limited to some keys; a server that is busy answers for none. */
    private void refuse(Looked key, Reply.Refused words) {
        key.refused = true;
        refusedKeys++;
        if (refusedWords.isEmpty()) {
            refusedWords = KeyName.shown(words.words());
        }
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
            required(key).forEach(field -> node.put(field.question, key.bytes, key.from, key.to));
        }
    }

    private void readHash(Looked key) {
        readCount(Ask.HLEN, key);
        if (key.memory > READABLE) {
            if (allowed.contains(Ask.NAMES)) {
                for (Reply name : node.read().items()) {
                    if (name instanceof Reply.Text text) {
                        key.field(text.bytes(), new byte[0]);
                    }
                }
            }
        } else if (allowed.contains(Ask.FIELDS)) {
            node.readFields(key::field);
        }
        if (allowed.contains(Ask.HAS)) {
            for (Required field : required(key)) {
                if (node.readWhole(1) == 0) {
                    key.misses(field.name);
                }
            }
        }
    }

    private List<Required> required(Looked key) {
        return key.family < 0 ? List.of() : required.get(key.family);
    }

    /** Where all keys are looked at, only those strings whose memory says that they are long. */
    private boolean isLong(Looked key) {
        return !thrifty || key.memory == Looked.UNKNOWN || key.memory > ValueFlaws.LARGE;
    }

    private boolean isCounted(Looked key) {
        Family family = key.family < 0 ? null : families.get(key.family);
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
        node.put(ask.words, key.bytes, key.from, key.to);
    }

    private long whole(Ask ask) {
        return allowed.contains(ask) ? node.readWhole(Looked.UNKNOWN) : Looked.UNKNOWN;
    }

    private byte[] text(Ask ask) {
        return allowed.contains(ask) && node.read() instanceof Reply.Text text ? text.bytes() : new byte[0];
    }
}
