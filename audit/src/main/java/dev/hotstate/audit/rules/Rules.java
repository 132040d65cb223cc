package dev.hotstate.audit.rules;

import static dev.hotstate.audit.rules.Severity.ERROR;
import static dev.hotstate.audit.rules.Severity.INFO;
import static dev.hotstate.audit.rules.Severity.WARNING;

import dev.hotstate.audit.rules.Rule.Group;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Every rule, in the order of its documentation. What a rule looks at stands in {@code dev.hotstate.audit.checks}. */
public final class Rules {
    public static final Rule KEY_UNDECLARED = declared(
            "key-undeclared",
            ERROR,
            "A key that nobody declared",
            "A key that no design speaks of has no owner, no lifetime and no bound: nobody knows whether it may be deleted.",
            "Names that fit no family of the schema, under its prefix.",
            "Declare its family in the schema, or delete the keys and stop what writes them.");
    public static final Rule KEY_FOREIGN = declared(
            "key-foreign",
            INFO,
            "Keys outside the schema's prefix",
            "Applications that share a Redis share its memory, its one thread and its accidents: one FLUSHALL takes all.",
            "Names that do not begin with the schema's prefix.",
            "Give each application a Redis of its own, or audit the others with their own schema.");
    public static final Rule KEY_TYPE = declared(
            "key-type",
            ERROR,
            "A key of another type than declared",
            "Commands on a key of another type fail with WRONGTYPE, at the moment they are needed.",
            "The type of each key that is looked at, against its family's.",
            "Find who writes these keys; delete or rename them, and let one name have one type.");
    public static final Rule FIELD_UNKNOWN = declared(
            "field-unknown",
            WARNING,
            "A field of a hash that is not declared",
            "A field that no design names is written by somebody and read by nobody, or read by somebody who will break.",
            "The fields of hashes whose family declares its fields: up to 100 of each key that is looked at.",
            "Declare the field, or remove it with HDEL and stop what writes it.");
    public static final Rule FIELD_MISSING = declared(
            "field-missing",
            ERROR,
            "A field of a hash that is declared as required is not there",
            "Who reads the key relies on the field; half an object is worse than none.",
            "The required fields of each hash that is looked at.",
            "Write all fields in one HSET, or in one script with what makes the key.");
    public static final Rule TTL_MISSING = rule(
            "ttl-missing",
            Group.SCHEMA,
            ERROR,
            "Keys without a TTL",
            "TTL everything: a key without one is a memory leak, and grows with every user.",
            "PTTL of the keys of families that are declared to expire. Without a schema, families of 1,000 keys and more: a"
                    + " warning where a part has a TTL and a part has none, a note where none has one.",
            "Set the TTL in the command that writes (SET … EX), or in the same script; give old keys one with EXPIRE.");
    public static final Rule TTL_TOO_LONG = declared(
            "ttl-too-long",
            WARNING,
            "A TTL longer than declared",
            "Data that outlives its declared lifetime takes memory that nobody planned, and is stale when it is read.",
            "PTTL of the keys that are looked at, against their family's declared TTL.",
            "Shorten the TTL where it is set, or declare the longer one.");
    public static final Rule TTL_UNEXPECTED = declared(
            "ttl-unexpected",
            WARNING,
            "A TTL on a key that is declared as kept",
            "A key that should stay, and expires, is lost data at a time that nobody chose.",
            "PTTL of the keys of families that are declared as kept or bounded.",
            "Remove the TTL with PERSIST and where it is set, or declare the family as expiring.");
    public static final Rule TTL_DRIFT = rule(
            "ttl-drift",
            Group.SCHEMA,
            INFO,
            "Lifetimes that have moved away from what is declared, or from what they were",
            "A declaration that no key comes near says nothing, and a lifetime that doubled unnoticed doubles the memory.",
            "Families with 50 or more keys looked at that expire: the longest TTL is below a tenth of the one that the schema"
                    + " has as usual, or, as a warning, twice that of the last report.",
            "Declare the TTL that is used, or correct the one that is set.");
    public static final Rule BOUND_EXCEEDED = declared(
            "bound-exceeded",
            ERROR,
            "A key has more elements than its declared bound",
            "A collection without a bound grows until an operation on it takes seconds, or memory ends.",
            "Elements of the keys of families that are declared as bounded, or that have a max.",
            "Trim where elements are added (LTRIM, ZREMRANGEBYRANK, XADD … MAXLEN), in the same script.");
    public static final Rule NAME_CONVENTION = rule(
            "name-convention",
            Group.NAMES,
            WARNING,
            "Names that do not follow the convention",
            "Without environment and application in front, staging and production or two services collide in one name.",
            "Names that do not fit the schema's naming; without a schema {env}:{app}:{entity}:{id}[:suffix], where a hash"
                    + " tag may stand among the parts.",
            "Put environment and application in front: prod:api:session:sess_abc123.");
    public static final Rule TAG_MISSING = rule(
            "tag-missing",
            Group.NAMES,
            WARNING,
            "Related keys without a common hash tag",
            "On a cluster, keys without a common {tag} are in different slots: MULTI, scripts and MGET over them fail.",
            "Names that share an id and differ in what stands after it, as user:123:profile and user:123:sessions, and have"
                    + " no hash tag; on a cluster, and where a schema has hash tags.",
            "Put what belongs together in braces: {user:123}:profile and {user:123}:sessions.");
    public static final Rule TAG_WRONG = declared(
            "tag-wrong",
            ERROR,
            "A key that would be its family's but for its hash tag",
            "A key outside its family's slot cannot change together with its family.",
            "Names that fit a family if the braces are left aside.",
            "Build names in one place, from the declared pattern.");
    public static final Rule KEY_TOO_LONG = rule(
            "key-too-long",
            Group.NAMES,
            WARNING,
            "Names of 100 bytes and more",
            "A name is stored with every key, again with its TTL, and sent with every command.",
            "The bytes of every name.",
            "Shorten the words, and put a digest in the place of long ids.");
    public static final Rule NAME_UNPRINTABLE = rule(
            "name-unprintable",
            Group.NAMES,
            INFO,
            "Names with control characters or bytes that are no text",
            "Such a name cannot be typed, breaks logs and line-based tools, and can carry terminal escapes.",
            "The bytes of every name.",
            "Encode ids before they become part of a name.");
    public static final Rule JSON_IN_HASH = rule(
            "json-in-hash",
            Group.VALUES,
            WARNING,
            "JSON in the fields of hashes",
            "Serialised twice: the object is a hash, and still every change rewrites and parses a whole document.",
            "The values of hashes that are looked at; fields that a schema describes, or marks with json: true, are believed.",
            "Use a string for whole objects, or make the inner fields those of the hash.");
    public static final Rule VALUE_LARGE = rule(
            "value-large",
            Group.VALUES,
            WARNING,
            "Values over 1 KB that are not compressed",
            "Large text costs memory and network with every read; compressed or packed it is a third of it.",
            "Strings of more than 1,024 bytes that begin as text, and such fields of the hashes that are read.",
            "Write values over 1 KB as MessagePack, or compress them.");
    public static final Rule KEY_BIG = rule(
            "key-big",
            Group.VALUES,
            WARNING,
            "Keys that are very large",
            "A large key holds up everything else: to read, to delete, to migrate, to copy to a replica it takes at once.",
            "Keys of 1 MB and more or of 10,000 elements and more, unless their family says that they are so: then those of"
                    + " ten times its typical size. A family's max is a limit.",
            "Split it by a part of its id, bound it, or read it in pieces (HSCAN, ZRANGE … LIMIT); delete by UNLINK.");
    public static final Rule KEY_HOT = rule(
            "key-hot",
            Group.VALUES,
            WARNING,
            "A key that is asked for far more than others",
            "One key lives on one thread of one node: a cluster does not spread it.",
            "OBJECT FREQ of the keys that are looked at, where the server counts (an LFU policy): 200 of 255 and more.",
            "Keep it in the application for a second (client-side caching), or spread copies of it over slots.");
    public static final Rule SLOT_SKEW = rule(
            "slot-skew",
            Group.SERVER,
            WARNING,
            "Keys or memory that lie unevenly on a cluster",
            "The fullest node is full first and slowest always; the others cannot help it.",
            "A master with over 1.5 times the average of keys or memory, or a slot with over a tenth of all keys.",
            "Choose hash tags that spread (more of them, not one for all), and move slots.");
    public static final Rule COMMAND_BLOCKING = rule(
            "command-blocking",
            Group.SERVER,
            ERROR,
            "KEYS and other commands that hold up everybody",
            "Redis works on one command at a time: KEYS over a million names takes half a second in which nobody is served.",
            "Calls between the two looks of KEYS, FLUSHALL, FLUSHDB, SAVE, DEBUG, MONITOR, and of SMEMBERS, HGETALL, SORT and"
                    + " the like where a call takes over 10 ms on average.",
            "Use SCAN with a cursor for KEYS, BGSAVE for SAVE, HSCAN and SSCAN for large collections; take the right away"
                    + " by ACL.");
    public static final Rule EVICTION_UNFIT = rule(
            "eviction-unfit",
            Group.SERVER,
            ERROR,
            "An eviction policy that does not suit the data",
            "An allkeys policy takes away what was meant to stay; noeviction on a pure cache refuses writes when it is full.",
            "maxmemory-policy against the lifetimes of the schema: allkeys-* with families that are kept or bounded. Without a"
                    + " schema: noeviction where all keys expire, volatile-* where none does.",
            "Where anything must stay: noeviction or volatile-lru, with a TTL on all that may go. For a cache: allkeys-lru.");
    public static final Rule MEMORY_UNLIMITED = rule(
            "memory-unlimited",
            Group.SERVER,
            WARNING,
            "No maxmemory",
            "Without a limit Redis grows until the operating system ends it.",
            "maxmemory is 0.",
            "Set maxmemory below what the machine has, with room for copy on write, and a policy that suits the data.");
    public static final Rule MEMORY_HIGH = rule(
            "memory-high",
            Group.SERVER,
            ERROR,
            "Memory over 80 % of maxmemory",
            "What follows is eviction, or refused writes.",
            "used_memory by maxmemory of each node.",
            "Find the family that grows in this report, give it a TTL or a bound, or give Redis more memory.");
    public static final Rule CLIENTS_HIGH = rule(
            "clients-high",
            Group.SERVER,
            ERROR,
            "Connections over 80 % of maxclients",
            "The next deployment, or the next failure with its reconnects, is refused.",
            "connected_clients by maxclients of each node.",
            "Share connections or pool them (5 to 20 a service), close idle ones (timeout), raise maxclients.");
    public static final Rule MISSES_HIGH = rule(
            "misses-high",
            Group.SERVER,
            WARNING,
            "More than half of the reads miss",
            "A cache that mostly misses costs a round trip and gives nothing.",
            "keyspace_misses of all reads between the two looks, from 100 reads on. Redis also counts a look at a list, a set or"
                    + " a stream that is empty just now, as workers do that wait; so many misses as there were such looks"
                    + " are not held against it.",
            "Look whether TTLs are too short, keys are evicted, or reader and writer differ in names.");
    public static final Rule EVICTED = rule(
            "evicted",
            Group.SERVER,
            WARNING,
            "Keys were evicted",
            "Each was meant to be there for its whole lifetime; any eviction is worth a look.",
            "evicted_keys of each node since its start, and between the two looks.",
            "Give Redis more memory, or the largest families shorter lifetimes.");
    public static final Rule SLOWLOG_BUSY = rule(
            "slowlog-busy",
            Group.SERVER,
            WARNING,
            "More than 10 slow commands a minute",
            "Each of them holds up all other clients for its time.",
            "The ages of the slow log's entries, and how many came between the two looks.",
            "Read the commands in this report: bound what they touch, or send them to a replica.");
    public static final Rule PERSISTENCE_OFF = declared(
            "persistence-off",
            ERROR,
            "No persistence where it is declared",
            "What is declared to survive a restart does not.",
            "appendonly and save, against the persistence that families declare.",
            "appendonly yes with appendfsync everysec, or save with the loss you accept.");
    public static final Rule PERSISTENCE_FAILING = rule(
            "persistence-failing",
            Group.SERVER,
            ERROR,
            "The last snapshot or write to the append-only file failed",
            "Redis believes to be safe and is not, and refuses writes by default.",
            "rdb_last_bgsave_status and aof_last_write_status.",
            "Look at the disk's room and at the server's log.");
    public static final Rule CONFIG_DRIFT = rule(
            "config-drift",
            Group.SERVER,
            WARNING,
            "Nodes that are configured differently, or since the last report",
            "After a failover the other configuration is in force, at the worst time.",
            "The settings that decide on memory, persistence, replication, limits and security: between nodes of one"
                    + " deployment, and against the previous report.",
            "Keep the configuration in one file for all nodes; CONFIG REWRITE after CONFIG SET.");
    public static final Rule VERSION_DRIFT = rule(
            "version-drift",
            Group.SERVER,
            WARNING,
            "Nodes of different versions",
            "Replicas of an older version cannot read what a newer master writes.",
            "redis_version of all nodes.",
            "Finish the upgrade: replicas first, then masters.");
    public static final Rule NODE_DOWN = rule(
            "node-down",
            Group.SERVER,
            ERROR,
            "A node does not answer",
            "Its keys are served by fewer copies, or by none.",
            "Each node that the deployment knows of.",
            "Bring it back, or remove it from the deployment (CLUSTER FORGET, SENTINEL RESET).");
    public static final Rule SLOTS_UNCOVERED = rule(
            "slots-uncovered",
            Group.SERVER,
            ERROR,
            "Slots of the cluster that no master serves",
            "Every key of these slots is refused, and by default every other key too.",
            "The slots of all masters that answer.",
            "Bring the master back or let a replica take over: CLUSTER FAILOVER TAKEOVER.");
    public static final Rule REPLICA_LINK_DOWN = rule(
            "replica-link-down",
            Group.SERVER,
            ERROR,
            "A replica has lost its master",
            "What is read from it grows old, and a failover to it loses what came since.",
            "master_link_status of each replica.",
            "Look at the network between them, at client-output-buffer-limit and repl-backlog-size.");
    public static final Rule TLS_OFF = rule(
            "tls-off",
            Group.SECURITY,
            ERROR,
            "Without TLS",
            "Passwords and data cross the network in the clear.",
            "The connection of the audit, beyond loopback; on loopback it is told where the server listens on other"
                    + " addresses too, as a warning.",
            "tls-port, tls-cert-file, tls-key-file and port 0; rediss:// in clients.");
    public static final Rule DEFAULT_USER_OPEN = rule(
            "default-user-open",
            Group.SECURITY,
            ERROR,
            "The default user has no password",
            "Whoever reaches the port may do everything.",
            "ACL GETUSER default: on and nopass.",
            "A user for each service with a password and least privilege, then ACL SETUSER default off.");
    public static final Rule ACL_TOO_WIDE = rule(
            "acl-too-wide",
            Group.SECURITY,
            WARNING,
            "A user with more rights than it needs",
            "A leaked password or a bug reaches exactly what its user may: separate users with minimal permissions.",
            "Users that are on. With a schema: keys and commands beyond those of the families that the user's owners declare."
                    + " Without: all keys and all commands at once.",
            "Print least-privilege users from the schema with --generate acl and load them.");
    public static final Rule ACL_UNUSED = rule(
            "acl-unused",
            Group.SECURITY,
            INFO,
            "Rights that were never used",
            "What nobody uses can be taken away, and then cannot be misused.",
            "Commands that a user is granted by name and that the server has not been asked for since its statistics began; and"
                    + " users that are on and that no connection has.",
            "Take the command out of the user's line, or turn the user off.");
    public static final Rule COMMAND_DANGEROUS = rule(
            "command-dangerous",
            Group.SECURITY,
            WARNING,
            "Users that may call dangerous commands",
            "FLUSHALL, CONFIG, DEBUG, SHUTDOWN, MODULE or KEYS end or expose everything, by accident too.",
            "ACL LIST: users that are on, other than those with nothing but these rights, which have FLUSHALL, FLUSHDB, CONFIG,"
                    + " DEBUG, SHUTDOWN, MODULE, REPLICAOF, MIGRATE, KEYS, SWAPDB or ACL.",
            "-@dangerous in the lines of services; an operator's user of its own for the rest.");
    public static final Rule ACL_DENIED = rule(
            "acl-denied",
            Group.SECURITY,
            INFO,
            "The server refused commands or passwords",
            "A service asks for what it may not, or somebody tries.",
            "ACL LOG: its entries by reason, user and object.",
            "Give the service the right that it needs, or find out who tried.");
    public static final Rule WAIVER_EXPIRED = rule(
            "waiver-expired",
            Group.AUDIT,
            WARNING,
            "A waiver has expired",
            "It was granted for a time, and the time is over.",
            "The dates of the waivers file.",
            "Remedy what it was for, or decide on it again with a new date.");

    private static final List<Rule> ALL = Stream.of(
                    KEY_UNDECLARED,
                    KEY_FOREIGN,
                    KEY_TYPE,
                    FIELD_UNKNOWN,
                    FIELD_MISSING,
                    TTL_MISSING,
                    TTL_TOO_LONG,
                    TTL_UNEXPECTED,
                    TTL_DRIFT,
                    BOUND_EXCEEDED,
                    NAME_CONVENTION,
                    TAG_MISSING,
                    TAG_WRONG,
                    KEY_TOO_LONG,
                    NAME_UNPRINTABLE,
                    JSON_IN_HASH,
                    VALUE_LARGE,
                    KEY_BIG,
                    KEY_HOT,
                    SLOT_SKEW,
                    COMMAND_BLOCKING,
                    EVICTION_UNFIT,
                    MEMORY_UNLIMITED,
                    MEMORY_HIGH,
                    CLIENTS_HIGH,
                    MISSES_HIGH,
                    EVICTED,
                    SLOWLOG_BUSY,
                    PERSISTENCE_OFF,
                    PERSISTENCE_FAILING,
                    CONFIG_DRIFT,
                    VERSION_DRIFT,
                    NODE_DOWN,
                    SLOTS_UNCOVERED,
                    REPLICA_LINK_DOWN,
                    TLS_OFF,
                    DEFAULT_USER_OPEN,
                    ACL_TOO_WIDE,
                    ACL_UNUSED,
                    COMMAND_DANGEROUS,
                    ACL_DENIED,
                    WAIVER_EXPIRED)
            .toList();

    private Rules() {}

    public static List<Rule> all() {
        return ALL;
    }

    public static Optional<Rule> byId(String id) {
        return ALL.stream().filter(rule -> rule.id().equals(id)).findFirst();
    }

    /** A rule about what a schema declares. */
    private static Rule declared(
            String id, Severity severity, String title, String reason, String looks, String remedy) {
        return new Rule(id, Group.SCHEMA, severity, title, reason, looks, remedy, true);
    }

    private static Rule rule(
            String id, Group group, Severity severity, String title, String reason, String looks, String remedy) {
        return new Rule(id, group, severity, title, reason, looks, remedy, false);
    }
}
