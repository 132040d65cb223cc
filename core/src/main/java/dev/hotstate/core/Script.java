package dev.hotstate.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A Lua script: its resource, the keys it takes, and what its replies mean in Java. A feature's Redis state keeps one as a
 * constant and calls it; nobody else sees a reply.
 *
 * <pre>{@code
 * private static final Script<Claimed> CLAIM =
 *         Script.of(Agenda.class, "claim", List.of("incarnation", "schedule", "fences"), Agenda::claimed);
 * }</pre>
 *
 * It runs by EVALSHA; where Redis does not know it (a restart, {@code SCRIPT FLUSH}, a new master) it is sent whole, once,
 * also in the middle of a pipeline. A slot on its way to another node is tried again.
 *
 * @param <R> what a reply becomes
 */
public final class Script<R> {
    private static final String REBUILDING = "REBUILDING";

    private final ScriptSource source;
    private final Function<Reply, R> decoder;
    private final boolean repeatable;

    private Script(ScriptSource source, Function<Reply, R> decoder, boolean repeatable) {
        this.source = source;
        this.decoder = decoder;
        this.repeatable = repeatable;
    }

    /**
     * The script in {@code <name>.lua} beside a class.
     *
     * @throws IllegalArgumentException where its header does not name just these keys
     */
    public static <R> Script<R> of(Class<?> home, String name, List<String> keys, Function<Reply, R> decoder) {
        ScriptSource source = ScriptSource.load(home, name);
        if (!source.keys().equals(keys)) {
            throw new IllegalArgumentException(
                    name + ".lua names its keys " + source.keys() + ", but is called with " + keys);
        }
        return new Script<>(source, decoder, source.readOnly());
    }

    /** The same script, for which a second run changes nothing: it is repeated when no answer came. */
    public Script<R> repeatable() {
        return new Script<>(source, decoder, true);
    }

    public R run(Redis redis, List<Key> keys, List<String> args) {
        Call call = new Call(keys, args);
        return run(redis, call.slotKey(), command(redis, call.keys(), call.args()));
    }

    /**
     * The same on a connection that this call has for itself, where one is free: the answer comes sooner, for callers who
     * come one at a time. Many at once are better off with {@link #run}, where they share what a call takes.
     */
    public R runDirectly(Redis redis, List<Key> keys, List<String> args) {
        Call call = new Call(keys, args);
        ScriptCommand command = command(redis, call.keys(), call.args());
        return decode(redis, call.slotKey(), redis.callDirectly(call.slotKey(), repeatable, command));
    }

    /**
     * Runs a script that decides several things on the way, each on keys of a tag of its own. One node must serve them all,
     * so on Cluster they share a tag.
     */
    public R runTogether(Redis redis, List<Key> keys, List<String> args) {
        return redis.isCluster() ? run(redis, keys, args) : run(redis, keys.getFirst(), command(redis, keys, args));
    }

    /**
     * Runs the script on each call's keys, all under way at once; the answers come in the order of the calls. Should one
     * fail, others may have happened. More calls than the queue of {@link RedisOptions} holds are refused.
     */
    public List<R> runAll(Redis redis, List<Call> calls) {
        List<Pipeline.Call<List<Object>>> sent = new ArrayList<>(calls.size());
        for (Call call : calls) {
            sent.add(new Pipeline.Call<>(call.slotKey(), command(redis, call.keys(), call.args())));
        }
        List<List<Object>> replies = redis.callAll(sent, repeatable);
        List<R> answers = new ArrayList<>(calls.size());
        for (int i = 0; i < replies.size(); i++) {
            answers.add(decode(redis, calls.get(i).slotKey(), replies.get(i)));
        }
        return answers;
    }

    /** The keys and arguments of one run; its keys share a tag, on Cluster or not. */
    public record Call(List<Key> keys, List<String> args) {
        public Call {
            Key first = keys.getFirst();
            for (Key key : keys) {
                if (!key.sharesTagWith(first)) {
                    throw new IllegalArgumentException(first + " and " + key + " do not share a tag");
                }
            }
        }

        Key slotKey() {
            return keys.getFirst();
        }
    }

    public String name() {
        return source.name();
    }

    /** The text that Redis runs, its includes in place. */
    public String lua() {
        return source.body();
    }

    /** The words a reply may begin with, as the script's header lists them. */
    Set<String> replies() {
        return source.replies();
    }

    boolean isReadOnly() {
        return source.readOnly();
    }

    /** The commands it calls, for ACL rules. */
    Set<String> commands() {
        return source.commands();
    }

    private R run(Redis redis, Key slotKey, ScriptCommand command) {
        return decode(redis, slotKey, redis.call(slotKey, repeatable, command));
    }

    private ScriptCommand command(Redis redis, List<Key> keys, List<String> args) {
        source.requireKeys(keys.size());
        String[] names = new String[keys.size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = redis.nameOf(keys.get(i));
        }
        return new ScriptCommand(source, names, args.toArray(String[]::new));
    }

    private R decode(Redis redis, Key slotKey, List<Object> parts) {
        Reply reply = new Reply(parts);
        redis.meters().replied(this, reply.word());
        if (reply.word().equals(REBUILDING)) {
            throw new RebuildingException(slotKey.tag());
        }
        if (!source.replies().contains(reply.word())) {
            throw new IllegalStateException(name() + ".lua answered " + reply.word() + ", which it does not document");
        }
        return decoder.apply(reply);
    }

    @Override
    public String toString() {
        return name() + source.keys();
    }
}
