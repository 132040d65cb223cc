package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.RedisTarget;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The printed users do their work on a real Redis, and can do nothing else there. */
abstract class KeyspaceAclContract {
    private static final KeyFamily SCHEDULE = family(KeyFamily::zset, "jobs", "{<partition>}:job:schedule");
    private static final KeyFamily FENCES = family(KeyFamily::hash, "jobs", "{<partition>}:job:fences");
    static final KeyFamily LIMIT = family(KeyFamily::string, "limits", "{<partition>}:rate_limit");
    private static final Service JOBS = new Service("jobs", List.of(SCHEDULE, FENCES), List.of(), Set.of());
    private static final Service LIMITS =
            new Service("limits", List.of(LIMIT), List.of(Agenda.DEPTH), Set.of("get", "set"));
    static final Keyspace KEYSPACE = Keyspace.of("it:acl", CoreKeys.SERVICE, JOBS, LIMITS);
    static final Partition PARTITION = new Partition("p0");
    static final String PASSWORD = "secret";
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final RedisTarget target;
    private final List<RedisServer> nodes;

    KeyspaceAclContract(RedisTarget target, List<RedisServer> nodes) {
        this.target = target;
        this.nodes = nodes;
    }

    @BeforeEach
    void setUsersAsPrinted() {
        for (String line : KeyspaceAcl.of(KEYSPACE).setUserLines().split("\n")) {
            nodes.forEach(node -> acl(node, line.replace(KeyspaceAcl.PASSWORD, PASSWORD)));
        }
        nodes.forEach(node -> node.commands().aclLogReset());
    }

    @AfterEach
    void removeUsers() {
        KeyspaceAcl.of(KEYSPACE)
                .users()
                .forEach(user -> nodes.forEach(node -> node.commands().aclDeluser(user.name())));
        target.flushAll();
    }

    @Test
    void theServersUserDoesAllItsWorkAndIsRefusedNothing() {
        try (Redis redis = connect("hotstate")) {
            openPartition(redis);
            runAgenda(redis);
            runEvents(redis);
            redis.write(LIMIT.of(PARTITION), (commands, key) -> commands.set(key, "1"));
            assertThat(new KeyspaceCensus(redis, InstantSource.system(), Duration.ofSeconds(10)).take())
                    .hasValueSatisfying(census -> assertThat(census.complete()).isTrue());
            assertThat(redis.info(redis.masters().getFirst(), "memory")).isNotEmpty();
        }

        assertThat(refusals()).isEmpty();
    }

    @Test
    void aServicesUserDoesItsWorkOnItsOwnKeysAndCores() {
        try (Redis redis = connect("hotstate-jobs")) {
            openPartition(redis);
            runAgenda(redis);
            runEvents(redis);
        }

        assertThat(refusals()).isEmpty();
    }

    @Test
    void aUserCannotTouchTheKeysOfAnotherService() {
        try (Redis jobs = connect("hotstate-jobs");
                Redis limits = connect("hotstate-limits")) {
            limits.write(LIMIT.of(PARTITION), (commands, key) -> commands.set(key, "1"));

            refused(jobs, LIMIT.of(PARTITION), (commands, key) -> commands.memoryUsage(key));
            refused(jobs, LIMIT.of(PARTITION), (commands, key) -> commands.unlink(key));
            refused(limits, SCHEDULE.of(PARTITION), (commands, key) -> commands.set(key, "1"));
            refused(limits, CoreKeys.INCARNATION.of(PARTITION), (commands, key) -> commands.get(key));
            assertThatExceptionOfType(RedisRefusedException.class)
                    .isThrownBy(() -> openPartition(limits))
                    .withMessageContaining("NOPERM");
        }
    }

    @Test
    void aUserCannotReadWhatIsNotOurs() {
        target.commands().set("foreign", "secret");
        target.commands().set("it:{p0}:job:schedule", "secret");
        target.commands().set("it:acl2:{p0}:job:schedule", "secret");
        try (Redis redis = connect("hotstate")) {
            for (String foreign : List.of("foreign", "it:{p0}:job:schedule", "it:acl2:{p0}:job:schedule")) {
                refused(redis, LIMIT.of(PARTITION), (commands, key) -> commands.get(foreign));
                refused(redis, LIMIT.of(PARTITION), (commands, key) -> commands.set(foreign, "1"));
                refused(redis, LIMIT.of(PARTITION), (commands, key) -> commands.memoryUsage(foreign));
            }
        }
    }

    @Test
    void aUserCannotAdministerRedis() {
        try (Redis redis = connect("hotstate")) {
            Key any = LIMIT.of(PARTITION);
            refused(redis, any, (commands, key) -> commands.flushall());
            refused(redis, any, (commands, key) -> commands.flushdb());
            refused(redis, any, (commands, key) -> commands.keys("*"));
            refused(redis, any, (commands, key) -> commands.configGet("*"));
            refused(redis, any, (commands, key) -> commands.configSet("maxmemory", "1"));
            refused(redis, any, (commands, key) -> commands.scriptFlush());
            refused(redis, any, (commands, key) -> commands.clientList());
            refused(redis, any, (commands, key) -> commands.publish("channel", "message"));
            refused(redis, any, (commands, key) -> commands.aclSetuser("me", AclSetuserArgs.Builder.on()));
            refused(redis, any, (commands, key) -> commands.clusterReset(true));
        }
    }

    private static void openPartition(Redis redis) {
        List<Key> incarnation = List.of(CoreKeys.INCARNATION.of(PARTITION));
        assertThat(Incarnations.OPEN
                        .run(redis, incarnation, List.of("1", "1", redis.scriptTime(), "ours"))
                        .word())
                .isEqualTo("OPENED");
        new Wipe(redis, PARTITION, new Pass.Rebuilder(1, 1)).run(() -> {});
        assertThat(Incarnations.READY
                        .run(redis, incarnation, List.of("1:1", "", "60000000"))
                        .word())
                .isEqualTo("READY");
        assertThat(Incarnations.BEAT
                        .run(redis, incarnation, List.of("1", "", "0", "60000000", "0", "ours"))
                        .word())
                .isEqualTo("BEATING");
    }

    private static void runAgenda(Redis redis) {
        Agenda agenda = new Agenda(redis, Passes.always(new Pass.Ready(1)), SCHEDULE, FENCES);
        agenda.put(PARTITION, "one", Due.now());
        List<Agenda.Claim> claims =
                agenda.claim(PARTITION, 10, Duration.ofMinutes(1)).claims();
        assertThat(claims).hasSize(1);
        assertThat(agenda.extend(claims, Duration.ofMinutes(1))).isEmpty();
        assertThat(agenda.depth(PARTITION).held()).isEqualTo(1);
        assertThat(agenda.done(claims)).isEmpty();
        assertThat(agenda.drop(PARTITION, List.of("one"))).isZero();
    }

    private static void runEvents(Redis redis) {
        try (Events events = new Events(redis, List.of("system"))) {
            String first = events.publish("system", "started", "{}");
            events.publish("system", "went_on", "{}");
            try (Subscription replayed = events.subscribe(Set.of("system"), Optional.of(first))) {
                await(replayed, "system.went_on");
            }
        }
        Map<String, String> clock = redis.read(CoreKeys.EVENTS_CLOCK.of(), (commands, key) -> commands.hgetall(key));
        assertThat(clock).containsKey("born");
        List<StreamMessage<String, String>> kept =
                redis.read(CoreKeys.EVENTS.of("system"), KeyspaceAclContract::readFrom);
        assertThat(kept).hasSize(2);
    }

    @SuppressWarnings("unchecked")
    private static RedisFuture<List<StreamMessage<String, String>>> readFrom(
            RedisClusterAsyncCommands<String, String> commands, String stream) {
        return commands.xread(XReadArgs.StreamOffset.from(stream, "0-0"));
    }

    static void await(Subscription subscription, String name) {
        try {
            Optional<Event> next;
            do {
                next = subscription.next(PATIENCE);
                assertThat(next).as("an event, up to " + name).isPresent();
            } while (!next.get().name().equals(name));
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static <T> void refused(Redis redis, Key key, RedisCommand<T> command) {
        assertThatExceptionOfType(RedisRefusedException.class)
                .isThrownBy(() -> redis.write(key, command))
                .withMessageContaining("NOPERM");
    }

    List<?> refusals() {
        return nodes.stream().flatMap(node -> node.commands().aclLog().stream()).toList();
    }

    Redis connect(String user) {
        return connect(target, user);
    }

    static Redis connect(RedisTarget to, String user) {
        String url = to.uri().replace("://", "://" + user + ":" + PASSWORD + "@");
        return Redis.connect(
                RedisOptions.of(url).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10)),
                KEYSPACE,
                new SimpleMeterRegistry());
    }

    /** Sends a line as it is printed. */
    private static void acl(RedisServer node, String line) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        Stream.of(line.split(" ")).skip(1).forEach(args::add);
        assertThat(node.commands().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args))
                .isEqualTo("OK");
    }

    private static KeyFamily family(Function<String, KeyFamily.Builder> type, String owner, String pattern) {
        return type.apply(pattern)
                .id("partition", 8)
                .owner(owner)
                .kept("for the test")
                .typically(1, 10)
                .example(pattern.replace("<partition>", "p0"))
                .why("a test")
                .declared();
    }
}
