package dev.hotstate.server.cli;

import dev.hotstate.server.config.InvalidSettingsException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Tells a user of a failure: one sentence a problem on standard error, no stack trace, exit 2. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final int COULD_NOT_RUN = 2;
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    @Override
    public int handleParseException(ParameterException mistake, String[] arguments) {
        var command = mistake.getCommandLine();
        tell(command, mistake.getMessage() + " (" + command.getCommandSpec().qualifiedName() + " --help shows how)");
        return COULD_NOT_RUN;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        LOG.debug("{} failed", command.getCommandSpec().qualifiedName(), failure);
        sentences(failure).forEach(sentence -> tell(command, sentence));
        return COULD_NOT_RUN;
    }

    /** Our own exceptions carry sentences; the name of any other says more than its message alone. */
    private static List<String> sentences(Exception failure) {
        if (failure instanceof InvalidSettingsException invalid) {
            return invalid.problems();
        }
        if (failure instanceof CommandFailedException failed) {
            return failed.sentences();
        }
        boolean ours = failure.getClass().getName().startsWith("dev.hotstate.");
        return List.of(
                ours
                        ? String.valueOf(failure.getMessage())
                        : "unexpected " + failure.getClass().getSimpleName() + ": " + failure.getMessage()
                                + " (HOTSTATE_LOG_LEVEL=debug tells more)");
    }

    private static void tell(CommandLine command, String sentence) {
        command.getErr().println("hotstate: " + sentence);
        command.getErr().flush();
    }
}
