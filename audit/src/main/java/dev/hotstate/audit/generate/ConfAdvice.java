package dev.hotstate.audit.generate;

import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Family.Persistence;
import dev.hotstate.audit.schema.Lifetime;
import dev.hotstate.audit.schema.Schema;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lines for redis.conf that suit a schema, each with its reason; what a machine decides is left to the operator. */
final class ConfAdvice {
    private static final long MIB = 1 << 20;
    private static final long LEAST_MIB = 64;

    private final StringBuilder out = new StringBuilder();

    private ConfAdvice() {}

    /** @param report of the Redis that it is for, which then says how much memory it needs; null where there is none */
    static String of(Schema schema, @Nullable Report report) {
        ConfAdvice advice = new ConfAdvice();
        advice.say("Advice for redis.conf, from a schema of "
                + schema.families().size() + " families. Read each line before you take it.");
        advice.memory(schema, report);
        advice.persistence(schema);
        advice.security();
        advice.observability();
        return advice.out.toString();
    }

    private void memory(Schema schema, @Nullable Report report) {
        if (report == null) {
            say(
                    "A limit, so that the operating system does not end Redis: at most three quarters of the machine's memory"
                            + " where it persists (copy on write).");
            out.append("# maxmemory 2gb\n");
        } else {
            long mib = Math.max(LEAST_MIB, Math.ceilDiv(report.memory().used() * 2, MIB));
            say("Twice what is in use now, so that the 80 % of the alert leave room to act.");
            out.append(String.format(Locale.ROOT, "maxmemory %dmb%n", mib).replace("\r", ""));
        }
        List<Family> staying = schema.families().stream()
                .filter(family -> family.lifetime().keeps())
                .toList();
        boolean all = schema.families().stream().allMatch(family -> family.lifetime() instanceof Lifetime.Expires);
        if (!staying.isEmpty()) {
            say(names(staying)
                    + " must stay: nothing is evicted, and a full Redis refuses writes. If all that expires may"
                    + " also go early, volatile-lru will do.");
            out.append("maxmemory-policy noeviction\n");
        } else if (all && !schema.families().isEmpty()) {
            say("Everything expires: the least used goes first when memory ends.");
            out.append("maxmemory-policy allkeys-lru\n");
        } else {
            say("What has a TTL may go when memory ends, the least used first; the rest stays.");
            out.append("maxmemory-policy volatile-lru\n");
        }
        say("Large keys are freed beside the one thread that serves.");
        out.append("lazyfree-lazy-eviction yes\nlazyfree-lazy-expire yes\nlazyfree-lazy-server-del yes\n");
    }

    private void persistence(Schema schema) {
        List<Family> aof = declaring(schema, Persistence.AOF, Persistence.ANY);
        List<Family> rdb = declaring(schema, Persistence.RDB);
        if (!aof.isEmpty()) {
            say(names(aof) + " must survive a restart: at most a second is lost.");
            out.append("appendonly yes\nappendfsync everysec\n");
        }
        if (!rdb.isEmpty()) {
            say(names(rdb) + " must be in a snapshot: at most what changed since the last one is lost.");
            out.append("save 900 1 300 100 60 10000\n");
        }
        if (aof.isEmpty() && rdb.isEmpty()) {
            say("No family declares that it must survive a restart. Without persistence Redis comes back empty:");
            out.append("# save \"\"\n# appendonly no\n");
        }
    }

    private static List<Family> declaring(Schema schema, Persistence... wanted) {
        return schema.families().stream()
                .filter(family ->
                        family.persistence() != null && List.of(wanted).contains(family.persistence()))
                .toList();
    }

    private void security() {
        say("A user for each service (--generate acl prints them), none for strangers, and nothing in the clear.");
        out.append("aclfile /etc/redis/users.acl\nprotected-mode yes\n");
        out.append("port 0\ntls-port 6379\n# tls-cert-file, tls-key-file and tls-ca-cert-file as you have them\n");
        say("Connections that nobody uses are found and closed.");
        out.append("tcp-keepalive 300\nmaxclients 10000\n");
    }

    private void observability() {
        say("What takes over 10 ms is logged, and enough of it kept to count 10 a minute.");
        out.append("slowlog-log-slower-than 10000\nslowlog-max-len 1024\nlatency-monitor-threshold 100\n");
    }

    private void say(String why) {
        out.append(out.isEmpty() ? "# " : "\n# ").append(why).append('\n');
    }

    private static String names(List<Family> families) {
        List<String> names = families.stream()
                .limit(5)
                .map(family -> Yaml.quoted(family.name()))
                .toList();
        return String.join(", ", names)
                + (families.size() > names.size() ? " and " + (families.size() - names.size()) + " more" : "");
    }
}
