package dev.hotstate.server.cli;

import dev.hotstate.audit.Auditor;
import dev.hotstate.audit.generate.AclUsers;
import dev.hotstate.audit.generate.Generated;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.SchemaWriter;
import dev.hotstate.server.http.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is printed in the place of a report. */
final class AuditInstead {
    @Option(names = "--acl", description = "Print the ACL line of a user that may audit, and end.")
    private boolean acl;

    @Option(
            names = "--generate",
            paramLabel = "WHAT",
            description = "Print acl, conf, alerts or doc from the schema, and end; conf with a URL knows its memory.")
    private @Nullable String generate;

    boolean isAcl() {
        return acl;
    }

    @Nullable
    String generate() {
        return generate;
    }

    static String acl(boolean json) {
        return (json ? Json.pretty(Map.of("acl", Auditor.aclRule())) : Auditor.aclRule()) + "\n";
    }

    static String generated(Generated what, Schema schema, @Nullable Report report, boolean json) {
        return json ? json(what, schema) : what.write(schema, report);
    }

    /** What a program can read of it; a redis.conf is for Redis alone. */
    private static String json(Generated what, Schema schema) {
        return switch (what) {
            case ACL -> Json.pretty(AclUsers.of(schema)) + "\n";
            case ALERTS -> YamlAsJson.of(what.write(schema, null));
            case DOC -> YamlAsJson.of(SchemaWriter.yaml(schema));
            case CONF -> throw new CommandFailedException("--generate conf has no JSON; acl, alerts and doc have");
        };
    }
}
