package dev.hotstate.server.cli;

import dev.hotstate.server.Features;
import dev.hotstate.server.cli.Finding.Level;
import dev.hotstate.server.config.InvalidSettingsException;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.http.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "doctor",
        description = "Check this machine, the configuration and its servers; say how to mend what is wrong.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:nothing fails (warnings may stand)", "1:something fails", "2:could not run"})
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var findings = findings();
        boolean fails = findings.stream().anyMatch(finding -> finding.level() == Level.FAIL);
        var output = Output.of(spec);
        if (json) {
            output.println(Json.pretty(new Report(!fails, findings)));
        } else {
            findings.forEach(finding -> output.println(finding.line()));
        }
        return fails ? 1 : 0;
    }

    private List<Finding> findings() {
        var findings = new ArrayList<Finding>();
        findings.add(MachineChecks.java());
        try {
            var settings = options.load();
            var prefix = Features.keyspace(settings).prefix();
            findings.add(Finding.ok("config", "valid, environment " + settings.env() + ", keys begin with " + prefix));
            addServers(findings, settings);
        } catch (InvalidSettingsException invalid) {
            invalid.problems()
                    .forEach(problem ->
                            findings.add(Finding.fail("config", problem, "docs/configuration.md tells every key")));
        }
        return findings;
    }

    private static void addServers(List<Finding> findings, Settings settings) {
        var machine = new MachineChecks(settings);
        findings.add(machine.port());
        findings.add(machine.data());
        findings.addAll(machine.plaintext());
        findings.addAll(machine.redis());
        findings.addAll(machine.postgres());
    }

    private record Report(boolean ok, List<Finding> checks) {}
}
