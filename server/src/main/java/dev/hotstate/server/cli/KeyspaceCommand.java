package dev.hotstate.server.cli;

import dev.hotstate.core.Keyspace;
import dev.hotstate.core.KeyspaceAcl;
import dev.hotstate.core.KeyspaceDocument;
import dev.hotstate.core.KeyspaceSchema;
import dev.hotstate.core.MemoryModel;
import dev.hotstate.server.Features;
import dev.hotstate.server.http.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is printed from the declarations of keys; nothing here asks a server. */
@Command(
        name = "keyspace",
        description = "Print what may stand in Redis, from the declarations of the program.",
        mixinStandardHelpOptions = true)
final class KeyspaceCommand implements Runnable {
    /** A trillion: Redis itself has at most 2^32 on a node. */
    private static final long MOST_KEYS = 1_000_000_000_000L;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                Objects.requireNonNull(spec).commandLine(), "give one of docs, acl, memory, schema");
    }

    @Command(name = "docs", description = "The keyspace document, in Markdown.", mixinStandardHelpOptions = true)
    int docs(
            @Mixin SettingsOptions options,
            @Option(names = "--json", description = "Print the declarations as JSON.") boolean json) {
        var keyspace = keyspace(options);
        Output.of(spec)
                .print(json ? YamlAsJson.of(KeyspaceSchema.yaml(keyspace)) : KeyspaceDocument.markdown(keyspace));
        return flushed();
    }

    @Command(
            name = "schema",
            description = "The schema that the auditor holds a Redis against, in YAML.",
            mixinStandardHelpOptions = true)
    int schema(@Mixin SettingsOptions options, @Option(names = "--json", description = "Print JSON.") boolean json) {
        var yaml = KeyspaceSchema.yaml(keyspace(options));
        Output.of(spec).print(json ? YamlAsJson.of(yaml) : yaml);
        return flushed();
    }

    @Command(
            name = "acl",
            description = "Least-privilege ACL users: one for the server, one for each service.",
            mixinStandardHelpOptions = true)
    int acl(
            @Mixin SettingsOptions options,
            @Option(names = "--aclfile", description = "Print the lines of an aclfile instead of ACL SETUSER.")
                    boolean aclFile,
            @Option(names = "--json", description = "Print JSON.") boolean json) {
        var acl = KeyspaceAcl.of(keyspace(options));
        if (json) {
            Output.of(spec).println(Json.pretty(acl.users()));
        } else {
            Output.of(spec).print(aclFile ? acl.aclFile() : acl.setUserLines());
        }
        return flushed();
    }

    @Command(
            name = "memory",
            description = "How much memory each family's keys take, by estimate.",
            mixinStandardHelpOptions = true)
    int memory(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--keys",
                            paramLabel = "FAMILY=COUNT",
                            description = "So many keys of a family (default: 1 of each).")
                    Map<String, Long> counts,
            @Option(names = "--json", description = "Print JSON.") boolean json) {
        var estimates = estimates(keyspace(options), counts == null ? Map.of() : counts);
        if (json) {
            Output.of(spec).println(Json.pretty(estimates));
        } else {
            print(estimates);
        }
        return flushed();
    }

    private void print(List<Map<String, Object>> estimates) {
        int longest = estimates.stream()
                .mapToInt(row -> String.valueOf(row.get("family")).length())
                .max()
                .orElse(1);
        var line = "%-" + longest + "s %-8s %12s %14s %16s%n";
        Output.of(spec).printf(line, "family", "type", "keys", "bytes a key", "bytes");
        estimates.forEach(row -> Output.of(spec)
                .printf(
                        line,
                        row.get("family"),
                        row.get("type"),
                        row.get("keys"),
                        row.get("bytes_per_key"),
                        row.get("bytes")));
    }

    private List<Map<String, Object>> estimates(Keyspace keyspace, Map<String, Long> counts) {
        counts.forEach(KeyspaceCommand::refuseUnlessPossible);
        var unknown = new ArrayList<>(counts.keySet());
        var rows = new ArrayList<Map<String, Object>>();
        for (var family : keyspace.families()) {
            unknown.remove(family.name());
            long keys = counts.getOrDefault(family.name(), 1L);
            long each = MemoryModel.bytesPerKey(keyspace, family);
            var row = new LinkedHashMap<String, Object>();
            row.put("family", family.name());
            row.put("type", family.type().word());
            row.put("keys", keys);
            row.put("bytes_per_key", each);
            row.put("bytes", keys * each);
            rows.add(row);
        }
        if (!unknown.isEmpty()) {
            throw new CommandFailedException(
                    "there is no family \"" + unknown.getFirst() + "\"; hotstate keyspace docs names those there are");
        }
        return rows;
    }

    /** More keys than a Redis can have, and their bytes would no longer be a number. */
    private static void refuseUnlessPossible(String family, long keys) {
        if (keys < 0 || keys > MOST_KEYS) {
            throw new CommandFailedException("--keys " + family + "=" + keys + ": it must be from 0 to " + MOST_KEYS);
        }
    }

    private static Keyspace keyspace(SettingsOptions options) {
        return Features.keyspace(options.load());
    }

    private int flushed() {
        Output.of(spec).flush();
        return 0;
    }
}
