package dev.hotstate.drivers;

import static java.time.temporal.ChronoUnit.MILLIS;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Positions and signs of life as they come, and drivers that go from region to region with them. */
final class RedisFixes {
    /** Scripts compute in doubles. */
    static final long MOST_SEQ = (1L << 53) - 1;

    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern PARTS = Pattern.compile("[ |]");

    static final Script<Reply> UPDATE = RedisRegion.script("update", Function.identity());
    static final Script<Parting> LEAVE = RedisRegion.script("leave", RedisFixes::parting);
    static final Script<Reply> ENTER = RedisRegion.script("enter", Function.identity());

    private final Redis redis;
    private final Passes passes;
    private final String heartbeat;

    RedisFixes(Redis redis, Passes passes, Duration heartbeat) {
        this.redis = redis;
        this.passes = passes;
        this.heartbeat = Long.toString(heartbeat.toMillis());
    }

    /**
     * Takes up to {@value RedisRegion#MAX_BATCH} fixes, each of another driver; answers in their order.
     *
     * @param enter whether one that is not known here is new, and enters by epoch 1
     */
    List<FixReply> update(Partition region, List<CellFix> fixes, boolean enter) {
        RedisRegion.requireBatch(fixes.stream().map(CellFix::id).toList());
        List<String> args = args(passes.of(region));
        args.add(enter ? "1" : "0");
        fixes.forEach(fix -> add(args, fix));
        return replies(UPDATE.run(redis, RedisRegion.keys(region), args), fixes);
    }

    /** Takes a driver out of a region, as a fix says that it is in another now. */
    Parting leave(Partition region, CellFix fix, String to) {
        List<String> args = args(passes.of(region));
        add(args, fix);
        args.add(to);
        return LEAVE.run(redis, RedisRegion.keys(region), args);
    }

    /** Takes a driver out of a region though no fix of it asks for that, if it is free. */
    Parting sendOut(Partition region, String id, String to) {
        List<String> args = args(passes.of(region));
        addNone(args, id);
        args.add(to);
        return LEAVE.run(redis, RedisRegion.keys(region), args);
    }

    /**
     * Lets a driver in, and takes the fix.
     *
     * @param pass of the region, from before the driver left another: should the region be lost meanwhile, it is refused
     */
    Arrival enter(Partition region, Pass pass, String id, Leaving coming, @Nullable CellFix fix) {
        List<String> args = args(pass);
        args.addAll(List.of(id, Long.toString(coming.epoch()), coming.line(), coming.profile()));
        if (fix == null) {
            addNone(args, "");
        } else {
            add(args, fix);
        }
        return arrival(ENTER.run(redis, RedisRegion.keys(region), args), coming.epoch());
    }

    private List<String> args(Pass pass) {
        List<String> args = RedisRegion.args(redis, pass);
        args.add(heartbeat);
        return args;
    }

    private static void add(List<String> args, CellFix fix) {
        if (fix.seq() != null && (fix.seq() < 0 || fix.seq() > MOST_SEQ)) {
            throw new IllegalArgumentException("seq must be 0 to " + MOST_SEQ + ", not " + fix.seq());
        }
        args.add(fix.id());
        args.add(DriverLine.text(fix.seq()));
        args.add(fix.at() == null ? DriverLine.NONE : DriverLine.micros(fix.at()));
        args.add(Long.toString(fix.cell()));
        args.add(DriverLine.motion(fix.heading(), fix.speed()));
    }

    private static void addNone(List<String> args, String id) {
        args.addAll(List.of(id, DriverLine.NONE, DriverLine.NONE, DriverLine.NONE, DriverLine.motion(null, null)));
    }

    private static List<FixReply> replies(Reply reply, List<CellFix> fixes) {
        Instant now = DriverLine.micros(reply.text(0));
        Instant seenAt = now.truncatedTo(MILLIS);
        String letters = reply.text(1);
        String[] facts = COMMA.split(reply.text(2), -1);
        Map<Integer, Instant> after = after(reply.list(3));
        List<FixReply> replies = new ArrayList<>(fixes.size());
        for (int i = 0; i < fixes.size(); i++) {
            Instant at = after.getOrDefault(i, now);
            replies.add(
                    letters.charAt(i) == 'F'
                            ? FixReply.Future.at(now)
                            : fixReply(letters.charAt(i), facts[i], atOf(fixes.get(i), at), seenAt));
        }
        return replies;
    }

    private static Map<Integer, Instant> after(List<String> parts) {
        Map<Integer, Instant> after = new HashMap<>();
        for (int i = 0; i < parts.size(); i += 2) {
            after.put(Integer.parseInt(parts.get(i)), DriverLine.micros(parts.get(i + 1)));
        }
        return after;
    }

    private static FixReply fixReply(char letter, String facts, Instant at, Instant seenAt) {
        String[] fact = PARTS.split(facts);
        return switch (letter) {
            case 'X' -> new FixReply.Absent();
            case 'M' -> new FixReply.Moved(fact[0], Long.parseLong(fact[1]));
            case 'A', 'R', 'B', 'C', 'K', 'E' ->
                accepted(letter, fact[0], Long.parseLong(fact[1]), Long.parseLong(fact[2]), at, seenAt);
            default -> new FixReply.Ignored(DriverLine.status(Character.toUpperCase(letter)));
        };
    }

    private static FixReply accepted(char letter, String since, long epoch, long version, Instant at, Instant seenAt) {
        boolean changed = letter == 'K' || letter == 'E';
        Status status = changed ? Status.AVAILABLE : DriverLine.status(letter);
        return new FixReply.Accepted(
                status, epoch, version, at, seenAt, DriverLine.millis(since), letter == 'R', changed);
    }

    private static Instant atOf(CellFix fix, Instant otherwise) {
        return fix.at() == null ? otherwise : DriverLine.micros(DriverLine.micros(fix.at()));
    }

    private static Parting parting(Reply reply) {
        return switch (reply.word()) {
            case "LEFT", "MOVED" -> new Parting.Left(leaving(reply));
            case "HELD" ->
                new Parting.Stays(accepted(
                        reply.text(1).charAt(0),
                        reply.text(2),
                        reply.number(3),
                        reply.number(4),
                        DriverLine.micros(reply.text(5)),
                        DriverLine.micros(reply.text(0)).truncatedTo(MILLIS)));
            case "IGNORED" ->
                new Parting.Stays(
                        new FixReply.Ignored(DriverLine.status(reply.text(0).charAt(0))));
            case "FUTURE" -> new Parting.Stays(future(reply));
            default -> new Parting.Stays(new FixReply.Absent());
        };
    }

    private static Arrival arrival(Reply reply, long epoch) {
        return switch (reply.word()) {
            case "HERE" -> new Arrival.Here(reply.number(0));
            case "MOVED" -> new Arrival.LeftAgain(leaving(reply));
            case "FUTURE" -> new Arrival.Refused(future(reply));
            default -> {
                if (reply.text(1).equals("F")) {
                    yield new Arrival.Entered(future(reply));
                }
                Instant seenAt = DriverLine.micros(reply.text(0)).truncatedTo(MILLIS);
                String facts = reply.text(2) + ' ' + epoch + ' ' + reply.text(3);
                yield new Arrival.Entered(
                        fixReply(reply.text(1).charAt(0), facts, DriverLine.micros(reply.text(4)), seenAt));
            }
        };
    }

    private static FixReply.Future future(Reply reply) {
        return FixReply.Future.at(DriverLine.micros(reply.text(0)));
    }

    private static Leaving leaving(Reply reply) {
        return new Leaving(reply.text(0), reply.number(1), reply.text(2), reply.text(3));
    }
}
