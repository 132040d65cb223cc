package dev.hotstate.server.monitors;

import dev.hotstate.monitors.Pings;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.util.Map;
import java.util.regex.Pattern;

/** What jobs report. The key in the path is all that is asked for, so there is no token for them to keep. */
final class PingCalls {
    private static final int MOST_TEXT = 10 * 1024;
    private static final Pattern EXIT_CODE = Pattern.compile("\\d{1,3}");
    private static final int LARGEST_EXIT_CODE = 255;

    private final Pings pings;

    PingCalls(Pings pings) {
        this.pings = pings;
    }

    Answer began(Request request) {
        return told(pings.began(request.path("key")));
    }

    Answer succeeded(Request request) {
        return told(pings.succeeded(request.path("key")));
    }

    Answer failed(Request request) {
        return told(pings.failed(request.path("key"), why(request, "the job reported a failure")));
    }

    /** Zero is well, as a shell has it. */
    Answer ended(Request request) {
        int code = exitCode(request.path("exit_code"));
        return code == 0
                ? succeeded(request)
                : told(pings.failed(request.path("key"), why(request, "the job ended with exit code " + code)));
    }

    private static int exitCode(String text) {
        if (!EXIT_CODE.matcher(text).matches() || Integer.parseInt(text) > LARGEST_EXIT_CODE) {
            throw Problem.notFound("A ping ends in nothing, start, fail, or an exit code from 0 to 255.");
        }
        return Integer.parseInt(text);
    }

    /** What the job says of it, in a line; control characters of a log's tail would only garble it. */
    private static String why(Request request, String otherwise) {
        String said = request.text(MOST_TEXT)
                .replaceAll("[\\p{Cntrl}\\p{Cs}\\s]+", " ")
                .strip();
        return said.isEmpty() ? otherwise : otherwise + ": " + said;
    }

    private static Answer told(Pings.Answer answer) {
        return switch (answer) {
            case TAKEN -> Answer.ok(Map.of("accepted", true));
            case IGNORED -> Answer.ok(Map.of("accepted", false));
            case UNKNOWN -> throw Problem.notFound("No monitor has this key.");
        };
    }
}
