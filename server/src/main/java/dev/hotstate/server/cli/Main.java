package dev.hotstate.server.cli;

import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program: every command of {@code hotstate}. */
@Command(
        name = "hotstate",
        description = "The real-time state of a back end on Redis, with PostgreSQL as the truth.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class,
        exitCodeOnExecutionException = 2,
        footer = "%nThe launcher also knows `hotstate bench`: benchmarks of us and of peers, in one run.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done, or yes", "1:no: something asked for is not so", "2:could not run"},
        subcommands = {
            UpCommand.class,
            AuditCommand.class,
            KeyspaceCommand.class,
            LimitsCommand.class,
            MonitorsCommand.class,
            JobsCommand.class,
            TokenCommand.class,
            DoctorCommand.class,
            VersionCommand.class
        })
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] arguments) {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        var failures = new Failures();
        return new CommandLine(new Main())
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "give a command");
    }
}
