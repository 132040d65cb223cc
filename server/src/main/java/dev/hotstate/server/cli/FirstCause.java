package dev.hotstate.server.cli;

/** Why something failed, in one line: the first line of the innermost cause, without its full stop. */
final class FirstCause {
    private static final int DEEPEST = 20;

    private FirstCause() {}

    static String of(Throwable failure) {
        var cause = failure;
        for (int depth = 0; depth < DEEPEST && cause.getCause() != null; depth++) {
            cause = cause.getCause();
        }
        var message = cause.getMessage();
        return message == null || message.isBlank()
                ? cause.getClass().getSimpleName()
                : message.lines().findFirst().orElseThrow().strip().replaceFirst("\\.$", "");
    }
}
