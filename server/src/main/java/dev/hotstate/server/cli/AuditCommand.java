package dev.hotstate.server.cli;

import dev.hotstate.audit.Auditor;
import dev.hotstate.audit.Inference;
import dev.hotstate.audit.generate.Generated;
import dev.hotstate.audit.report.Baseline;
import dev.hotstate.audit.report.Format;
import dev.hotstate.audit.report.Presentation;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.report.SchemaFile;
import dev.hotstate.audit.report.Verdict;
import dev.hotstate.audit.rules.Severity;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.SchemaWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Any Redis held against a schema and a checklist; nothing else of hotstate has to run. */
@Command(
        name = "audit",
        description = "Hold any Redis against a schema of its keys and a checklist. It only reads.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:clean", "1:findings at or above --fail-on", "2:could not run, or could not read every key"})
final class AuditCommand implements Callable<Integer> {
    private static final int CLEAN = 0;
    private static final int FINDINGS = 1;
    private static final int COULD_NOT_RUN = 2;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "URL",
            description = "redis://, rediss:// (TLS), redis-cluster://h1:p1,h2:p2 or redis-sentinel://h1:p1#master.")
    private @Nullable String url;

    @Mixin
    private AuditScanOptions scan = new AuditScanOptions();

    @Option(
            names = "--schema",
            paramLabel = "FILE",
            description = "What the keyspace should be; without it only the checklist is looked at.")
    private @Nullable Path schema;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text, json, sarif, junit, html or markdown (default: ${DEFAULT-VALUE}).")
    private String format = "text";

    @Option(names = "--json", description = "The same as --format json; of --acl and --generate, JSON.")
    private boolean json;

    @Option(names = "--output", paramLabel = "FILE", description = "Write it there instead of printing it.")
    private @Nullable Path output;

    @Option(
            names = "--fail-on",
            paramLabel = "SEVERITY",
            defaultValue = "error",
            description = "error, warning or never (default: ${DEFAULT-VALUE}).")
    private String failOn = "error";

    @Option(names = "--baseline", paramLabel = "FILE", description = "Findings of this file, or report, are known.")
    private @Nullable Path baseline;

    @Option(names = "--write-baseline", paramLabel = "FILE", description = "Write what is found as the known findings.")
    private @Nullable Path newBaseline;

    @Option(names = "--waivers", paramLabel = "FILE", description = "Findings that are allowed for a time, in YAML.")
    private @Nullable Path waivers;

    @Option(
            names = "--previous",
            paramLabel = "FILE",
            description = "An earlier report in JSON: configuration that changed since is a finding.")
    private @Nullable Path previous;

    @ArgGroup
    private AuditInstead instead = new AuditInstead();

    @Override
    public Integer call() {
        AuditFiles.writable(output);
        AuditFiles.writable(newBaseline);
        if (instead.isAcl()) {
            return put(AuditInstead.acl(json));
        }
        var what = instead.generate() == null ? null : choice(Generated.class, instead.generate(), "--generate");
        var declared = schema == null ? null : AuditFiles.schema(schema);
        if (what != null) {
            return generate(what, declared);
        }
        var least = least();
        var shape = choice(Format.class, json ? "json" : format, "--format");
        // Read before Redis is asked: who has waited for an audit of an hour is not told of a slip in a file then.
        var known = baseline == null ? Baseline.NONE : AuditFiles.baseline(baseline);
        var allowed = AuditFiles.waivers(waivers);
        // Until it is told: who stops the audit gets a report of what it has seen.
        try (var progress = progress()) {
            var report = audit(declared, progress);
            var verdict = Verdict.of(report, known, allowed, LocalDate.ofInstant(now(), ZoneOffset.UTC));
            progress.erase();
            if (newBaseline != null && verdict.report().complete()) {
                AuditFiles.write(newBaseline, Baseline.of(verdict).write());
            }
            tell(verdict, shape, presentation(least));
            if (!verdict.report().complete()) {
                warn("not every key was read, so nothing is said of the others; the report says which and why");
                return COULD_NOT_RUN;
            }
            return newBaseline == null && verdict.fails(least) ? FINDINGS : CLEAN;
        }
    }

    private int generate(Generated what, @Nullable Schema declared) {
        if (declared == null) {
            throw mistake("--generate needs --schema");
        }
        try (var progress = progress()) {
            var report = url != null && what == Generated.CONF ? audit(declared, progress) : null;
            progress.erase();
            return put(AuditInstead.generated(what, declared, report, json));
        }
    }

    private int put(String document) {
        if (output == null) {
            print(document);
        } else {
            AuditFiles.write(output, document);
        }
        return CLEAN;
    }

    private Report audit(@Nullable Schema declared, AuditProgress progress) {
        var options = scan.options().withSchema(declared);
        var last = previous == null ? null : AuditFiles.report(previous);
        return AuditFiles.asked(() ->
                new Auditor(InstantSource.system()).audit(scan.target(url()), options.withPrevious(last), progress));
    }

    private static Instant now() {
        return InstantSource.system().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private void tell(Verdict verdict, Format shape, Presentation presentation) {
        var document = shape.write(verdict, presentation);
        if (output == null) {
            print(document);
        } else {
            AuditFiles.write(output, document);
            print(Format.TEXT
                            .write(verdict, presentation)
                            .lines()
                            .reduce((line, next) -> next)
                            .orElse("")
                    + "; the report is in " + output + "\n");
        }
    }

    private Presentation presentation(@Nullable Severity least) {
        var file = schema == null ? null : new SchemaFile(schema.toString(), AuditFiles.text(schema));
        var plain = new Presentation(false, columns(), least, file);
        return Ansi.AUTO.enabled() ? plain.inColour(columns()) : plain;
    }

    private static int columns() {
        var told = System.getenv("COLUMNS");
        return told != null && told.matches("\\d{2,4}") ? Integer.parseInt(told) : 110;
    }

    private @Nullable Severity least() {
        return switch (failOn) {
            case "error" -> Severity.ERROR;
            case "warning" -> Severity.WARNING;
            case "never" -> null;
            default -> throw mistake("--fail-on must be error, warning or never, not \"" + failOn + "\"");
        };
    }

    private String url() {
        if (url == null) {
            throw mistake("give the URL of a Redis");
        }
        return url;
    }

    @Command(
            name = "infer",
            description = "Draft a schema from the keys that are there, for a person to edit.",
            mixinStandardHelpOptions = true)
    int infer(
            @Parameters(paramLabel = "URL", description = "The Redis to look at.") String from,
            @Mixin AuditScanOptions options,
            @Option(
                            names = "--schema",
                            paramLabel = "FILE",
                            description = "Begin with this one, and add what it lacks.")
                    @Nullable
                    Path begin,
            @Option(names = "--output", paramLabel = "FILE", description = "Write it there instead of printing it.")
                    @Nullable
                    Path file,
            @Option(names = "--json", description = "Print JSON.") boolean asJson) {
        AuditFiles.writable(file);
        var declared = begin == null ? null : AuditFiles.schema(begin);
        var look = options.options().withSchema(declared);
        try (var progress = progress()) {
            var draft = AuditFiles.asked(() -> Inference.infer(options.target(from), look, progress));
            progress.erase();
            var text = asJson ? YamlAsJson.of(SchemaWriter.yaml(draft)) : SchemaWriter.yaml(draft);
            if (file == null) {
                print(text);
            } else {
                AuditFiles.write(file, text);
            }
            return CLEAN;
        }
    }

    @Command(
            name = "diff",
            description = "Compare two reports in JSON, or two schemas.",
            mixinStandardHelpOptions = true,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:the same", "1:they differ", "2:could not run"})
    int diff(
            @Parameters(paramLabel = "A", description = "The earlier one.") Path earlier,
            @Parameters(paramLabel = "B", description = "The later one.") Path later,
            @Option(names = "--json", description = "Print JSON.") boolean json) {
        var difference = AuditDifference.between(earlier, later);
        print(json ? difference.json() : difference.text());
        return difference.isSame() ? CLEAN : FINDINGS;
    }

    private AuditProgress progress() {
        var err = Objects.requireNonNull(spec).commandLine().getErr();
        return AuditProgress.on(Ansi.AUTO.enabled() ? err : null);
    }

    private void warn(String sentence) {
        var err = Objects.requireNonNull(spec).commandLine().getErr();
        err.println("hotstate: " + sentence);
        err.flush();
    }

    private void print(String text) {
        var out = Output.of(spec);
        out.print(text);
        out.flush();
    }

    private <E extends Enum<E>> E choice(Class<E> type, String word, String option) {
        for (E value : type.getEnumConstants()) {
            if (value.name().toLowerCase(Locale.ROOT).equals(word)) {
                return value;
            }
        }
        var words = Arrays.stream(type.getEnumConstants())
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList();
        throw mistake(option + " must be one of " + String.join(", ", words) + ", not \"" + word + "\"");
    }

    private ParameterException mistake(String sentence) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), sentence);
    }
}
